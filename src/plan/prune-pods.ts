// `prune pods`, the decision: which Pods were leaked by Jobs that are gone and go now, and why each other one stays.
import type { DeleteAction } from '../model/delete-action.ts';
import { given } from '../model/given.ts';
import type { PrunePodsOptions } from '../model/options.ts';
import type { Danger, DeletePlan } from '../model/plan.ts';
import { isEnded } from '../model/pod.ts';
import type { PrunePodsSnapshot } from '../model/snapshot.ts';
import { assemble } from './assemble.ts';
import { manyObjects } from './guards.ts';
import { JobsThere } from './leaked.ts';
import { managedOnce } from './managed.ts';
import { inPlaceOrder } from './order.ts';
import { overrideNotes } from './overrides.ts';
import { judgePod } from './prune-pods-verdicts.ts';
import { settleTimeoutMs } from './settle.ts';
import { unreadableNote } from './unreadable-note.ts';

/** `chosen`: the uids picked from a list; absent: everything the rules let go. */
export function planPrunePods(
  snapshot: PrunePodsSnapshot,
  options: PrunePodsOptions,
  chosen?: ReadonlySet<string>,
): DeletePlan {
  const about = { snapshot, options, chosen, jobs: new JobsThere(snapshot.jobs) };
  const judged = inPlaceOrder(snapshot.pods).map(pod => judgePod(pod, about));
  const going = judged.filter(({ finding }) => finding.verdict === 'delete');
  // its status may change, or somebody adopt it: then it is not what was looked at
  const actions = going.map(
    ({ finding: { target }, whileGone }): DeleteAction => ({
      target,
      propagation: 'Background',
      pin: 'version',
      ...given({ whileGone }),
    }),
  );
  const graces = going.filter(({ pod }) => !isEnded(pod)).map(({ pod }) => pod.graceSeconds);
  return assemble(snapshot, options, {
    findings: judged.map(({ finding }) => finding),
    notes: [
      ...snapshot.unreadable.map(unreadableNote),
      // hooks have no flag of their own here
      ...overrideNotes(options, { includeHooks: false }, { targets: going.map(({ pod }) => pod) }),
      ...managedOnce(
        going.map(({ pod }) => pod),
        [],
      ),
    ],
    dangers: dangersOf(actions.length, graces.length),
    actions,
    settle: {
      wait: options.wait,
      targets: actions.map(({ target }) => target),
      dependents: [],
      kinds: [],
      timeoutMs: options.timeoutMs ?? settleTimeoutMs(graces, []),
    },
    contents: 0,
  });
}

const dangersOf = (going: number, running: number): Danger[] => [
  ...(running > 0 ? (['running-work'] as const) : []),
  ...(going > manyObjects ? (['many-objects'] as const) : []),
];
