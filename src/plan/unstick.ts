// `unstick`, the decision: for each stuck object what holds it, whether we may end that, and in which order.

import type { FinalizerAction } from '../model/finalizer-action.ts';
import type { Hold } from '../model/hold.ts';
import { resourceName } from '../model/kind.ts';
import { isTerminating } from '../model/object.ts';
import type { UnstickOptions } from '../model/options.ts';
import type { Finding, UnstickPlan, Verdict } from '../model/plan.ts';
import type { UnstickSnapshot } from '../model/unstick-snapshot.ts';
import type { Why } from '../model/why.ts';
import { assembleUnstick } from './assemble.ts';
import { casesOf, uidOf } from './causes/case.ts';
import { type Diagnosed, diagnose } from './diagnose.ts';
import { followersOf } from './followers.ts';
import { protectedBy } from './guards.ts';
import { type Asked, mayRemove } from './removals.ts';
import { fiveMinutesMs } from './settle.ts';
import { unstickDangers, unstickNotes } from './unstick-notes.ts';
import { wavesOf } from './waves.ts';

/** `chosen`: the uids picked from a list; absent: no list was shown. */
export function planUnstick(
  snapshot: UnstickSnapshot,
  options: UnstickOptions,
  chosen?: ReadonlySet<string>,
): UnstickPlan {
  const diagnosed = casesOf(snapshot).map(diagnose);
  const asked = (uid: string): Asked => ({
    options,
    isNamed: snapshot.named.has(uid),
    isMeant: !snapshot.isScan,
    pick: chosen === undefined ? 'unasked' : chosen.has(uid) ? 'picked' : 'left-out',
  });
  const findings = diagnosed.map(one => toFinding(one, asked(uidOf(one.at.looked))));
  const acting = new Set(
    findings.filter(({ verdict }) => verdict === 'free').map(({ target }) => target.uid),
  );
  const removes = (hold: Hold, uid: string) => acting.has(uid) && mayRemove(hold, asked(uid)) === 'yes';
  const { following, going } = followersOf(diagnosed, removes);
  const all = findings.map(finding => whileOthersGo(finding, { following, acting, named: snapshot.named }));
  const actions = toActions(diagnosed, acting, removes, going);
  const waits = new Map(
    diagnosed.map(({ at, holds }) => [uidOf(at.looked), holds.flatMap(hold => hold.waitsFor)]),
  );
  const follows = all
    .filter(({ verdict }) => verdict === 'follows')
    .map(({ target }) => ({ target, waitsFor: waits.get(target.uid) ?? [] }));
  return assembleUnstick(snapshot, options, {
    isScan: snapshot.isScan,
    findings: all,
    notes: unstickNotes(snapshot, diagnosed, actions, options),
    dangers: unstickDangers(diagnosed, actions),
    actions,
    aftermath: {
      wait: options.wait,
      follows: actions.length === 0 ? [] : follows,
      timeoutMs: options.timeoutMs ?? fiveMinutesMs,
    },
    contents: abandonedBy(actions, snapshot),
  });
}

function toFinding(one: Diagnosed, asked: Asked): Finding {
  const { at, holds, sinceMs } = one;
  const { object } = at.looked;
  // a Pod within its grace is held by nothing yet
  const isHeld = sinceMs >= 0 || object.finalizers.length > 0;
  const under = object.owners.find(owner => at.uids.has(owner.uid));
  const as = (verdict: Verdict, why: Why): Finding => ({
    target: object.ref,
    ...(under === undefined ? {} : { under: under.uid }),
    verdict: verdict === 'stays' && asked.isNamed ? 'refused' : verdict,
    why,
    seen: { as: 'stuck', sinceMs, holds: isHeld ? holds : [] },
  });
  const blocked = blockedBy(one, asked);
  if (blocked !== undefined) return as('stays', blocked);
  if (holds.some(hold => mayRemove(hold, asked) === 'yes')) {
    if (asked.pick === 'left-out') return { ...as('stays', { code: 'not-chosen' }), verdict: 'stays' };
    const denied = deniedOf(one, asked);
    return denied === undefined ? as('free', { code: 'holds-end' }) : as('refused', denied);
  }
  if (holds.some(hold => mayRemove(hold, asked) === 'if-asked'))
    return as('could-be-freed', { code: 'held' });
  return as('stays', { code: 'held' });
}

function blockedBy({ at, sinceMs }: Diagnosed, { options }: Asked): Why | undefined {
  const { object } = at.looked;
  if (!isTerminating(object)) return { code: 'not-terminating' };
  const { includeProtected, allNamespaces } = options;
  const kept = protectedBy(object, { includeProtected, allNamespaces, includeHooks: true });
  if (kept !== undefined) return kept;
  if (sinceMs < 0) return { code: 'in-grace', facts: { leftMs: -sinceMs } };
  return sinceMs < options.stuckForMs
    ? { code: 'not-stuck-yet', facts: { sinceMs, afterMs: options.stuckForMs } }
    : undefined;
}

function deniedOf({ at, holds }: Diagnosed, asked: Asked): Why | undefined {
  const { looked, snapshot } = at;
  const { kind, namespace, uid } = looked.object.ref;
  const facts = { resource: resourceName(kind), namespace: namespace ?? '' };
  const removed = holds.filter(hold => mayRemove(hold, asked) === 'yes');
  const mayNotPatch = snapshot.mayPatch.get(uid) === 'no';
  if (mayNotPatch && removed.some(({ where }) => where === 'metadata'))
    return { code: 'no-right-to-patch', facts };
  const mayNotFinalize = snapshot.mayFinalize === 'no' && removed.some(({ where }) => where === 'spec');
  return mayNotFinalize ? { code: 'no-right-to-finalize', facts } : undefined;
}

interface Others {
  readonly following: ReadonlySet<string>;
  readonly acting: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
}

/** What waits for others goes with them. What was named, and would need another word, is told not to have been done. */
function whileOthersGo(finding: Finding, { following, acting, named }: Others): Finding {
  const { uid } = finding.target;
  if (acting.size === 0 || acting.has(uid) || finding.why.code !== 'held') return finding;
  if (following.has(uid)) return { ...finding, verdict: 'follows', why: { code: 'waits-for-others' } };
  return finding.verdict === 'could-be-freed' && named.has(uid)
    ? { ...finding, verdict: 'refused', why: { code: 'finalizer-not-named' } }
    : finding;
}

function toActions(
  diagnosed: readonly Diagnosed[],
  acting: ReadonlySet<string>,
  removes: (hold: Hold, uid: string) => boolean,
  going: ReadonlySet<string>,
): FinalizerAction[] {
  const freed = diagnosed.filter(({ at }) => acting.has(uidOf(at.looked)));
  const waves = wavesOf(freed);
  return freed
    .flatMap(({ at, holds }) => {
      const { ref, finalizers } = at.looked.object;
      const removed = holds.filter(hold => removes(hold, ref.uid));
      const inMetadata = removed.filter(({ where }) => where === 'metadata');
      const gone = new Set(inMetadata.map(({ finalizer }) => finalizer));
      const wave = waves.wave.get(ref.uid) ?? 0;
      const shared = {
        target: ref,
        keeps: finalizers.filter(finalizer => !gone.has(finalizer)),
        goes: going.has(ref.uid),
        after: waves.below.get(ref.uid) ?? [],
      };
      return [
        ...toAction(inMetadata, { ...shared, where: 'metadata', wave }),
        // last of all: what is inside is abandoned then
        ...toAction(
          removed.filter(({ where }) => where === 'spec'),
          { ...shared, where: 'spec', wave: wave + 1 },
        ),
      ];
    })
    .sort((a, b) => a.wave - b.wave);
}

const toAction = (
  removed: readonly Hold[],
  rest: Omit<FinalizerAction, 'remove' | 'causes'>,
): FinalizerAction[] =>
  removed.length === 0
    ? []
    : [
        {
          ...rest,
          remove: removed.map(({ finalizer }) => finalizer),
          causes: removed.map(({ cause }) => cause),
        },
      ];

/** What is in a Namespace that is finalized by force stays in storage, out of reach. */
function abandonedBy(actions: readonly FinalizerAction[], snapshot: UnstickSnapshot): number {
  return actions
    .filter(({ where }) => where === 'spec')
    .flatMap(({ target }) => snapshot.inside.get(target.uid)?.counts ?? [])
    .reduce((sum, { count }) => sum + count, 0);
}
