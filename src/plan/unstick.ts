// `unstick`, the decision: for each stuck object what holds it, whether we may end that, and in which order.
import type { FinalizerAction } from '../model/finalizer-action.ts';
import type { Hold } from '../model/hold.ts';
import { overdueSince } from '../model/object.ts';
import type { UnstickOptions } from '../model/options.ts';
import type { Finding, UnstickPlan, Verdict, Why } from '../model/plan.ts';
import { accessKey } from '../model/snapshot.ts';
import type { UnstickSnapshot } from '../model/unstick-snapshot.ts';
import { assembleUnstick } from './assemble.ts';
import { type Case, casesOf, uidOf } from './causes/case.ts';
import { diagnose } from './diagnose.ts';
import { followersOf } from './followers.ts';
import { protectedBy } from './guards.ts';
import { type Asked, mayRemove } from './removals.ts';
import { unstickDangers, unstickNotes } from './unstick-notes.ts';
import { wavesOf } from './waves.ts';

/** One stuck object with what was found out about it, before anything of it is decided. */
export interface Diagnosed {
  readonly at: Case;
  readonly holds: readonly Hold[];
  readonly sinceMs: number;
}

interface Judged extends Asked {
  readonly isShown: (uid: string) => boolean;
}

const fiveMinutesMs = 300_000;

/** `chosen`: the uids picked from a list; absent: no list was shown. */
export function planUnstick(
  snapshot: UnstickSnapshot,
  options: UnstickOptions,
  chosen?: ReadonlySet<string>,
): UnstickPlan {
  const diagnosed = casesOf(snapshot).map(at => ({ at, holds: diagnose(at), sinceMs: sinceOf(at) }));
  const shown = new Set(snapshot.objects.map(uidOf));
  const asked = (uid: string): Judged => ({
    isShown: owner => shown.has(owner),
    options,
    isNamed: snapshot.named.has(uid),
    isMeant: !snapshot.isScan,
    pick: chosen === undefined ? 'unasked' : chosen.has(uid) ? 'picked' : 'left-out',
  });
  const findings = diagnosed.map(one => toFinding(one, snapshot, asked(uidOf(one.at.looked))));
  const acting = new Set(
    findings.filter(({ verdict }) => verdict === 'free').map(({ target }) => target.uid),
  );
  const removes = (hold: Hold, uid: string) => acting.has(uid) && mayRemove(hold, asked(uid)) === 'yes';
  const { following, going } = followersOf(diagnosed, removes);
  const all = findings.map(finding => asFollower(finding, following, acting));
  const actions = toActions(diagnosed, acting, removes, going);
  const follows = all.filter(({ verdict }) => verdict === 'follows').map(({ target }) => target);
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

/** How long beyond the end of its grace period. */
function sinceOf({ looked, snapshot }: Case): number {
  const overdue = overdueSince(looked.object);
  return overdue === undefined ? 0 : snapshot.takenAt.getTime() - overdue.getTime();
}

function toFinding({ at, holds, sinceMs }: Diagnosed, snapshot: UnstickSnapshot, asked: Judged): Finding {
  const { object } = at.looked;
  const under = object.owners.find(owner => asked.isShown(owner.uid));
  const as = (verdict: Verdict, why: Why): Finding => ({
    target: object.ref,
    ...(under === undefined ? {} : { under: under.uid }),
    verdict: verdict === 'stays' && asked.isNamed ? 'refused' : verdict,
    why,
    seen: { as: 'stuck', sinceMs, holds: object.deletingSince === undefined ? [] : holds },
  });
  const blocked = blockedBy({ at, holds, sinceMs }, asked);
  if (blocked !== undefined) return as('stays', blocked);
  if (holds.some(hold => mayRemove(hold, asked) === 'yes')) {
    if (asked.pick === 'left-out') return { ...as('stays', { code: 'not-chosen' }), verdict: 'stays' };
    const right = snapshot.rights.get(accessKey(object.ref.kind, object.ref.namespace));
    return right === 'no' ? as('stays', noRight(at)) : as('free', { code: 'holds-end' });
  }
  if (holds.some(hold => mayRemove(hold, asked) === 'if-asked'))
    return as('could-be-freed', { code: 'held' });
  return as('stays', { code: 'held' });
}

function blockedBy({ at, sinceMs }: Diagnosed, { options }: Asked): Why | undefined {
  const { object } = at.looked;
  if (object.deletingSince === undefined) return { code: 'not-terminating' };
  const { includeProtected, allNamespaces } = options;
  const kept = protectedBy(object, { includeProtected, allNamespaces, includeHooks: true });
  if (kept !== undefined) return kept;
  if (sinceMs < 0) return { code: 'in-grace', facts: { leftMs: -sinceMs } };
  return sinceMs < options.stuckForMs
    ? { code: 'not-stuck-yet', facts: { sinceMs, afterMs: options.stuckForMs } }
    : undefined;
}

const noRight = ({ looked: { object } }: Case): Why => ({
  code: 'no-right-to-patch',
  facts: { resource: accessKey(object.ref.kind, undefined).trim(), namespace: object.ref.namespace ?? '' },
});

/** What waits for others and for nothing else goes with them. What waits for something that stays, waits. */
function asFollower(finding: Finding, following: ReadonlySet<string>, acting: ReadonlySet<string>): Finding {
  if (acting.has(finding.target.uid) || finding.why.code !== 'held') return finding;
  return following.has(finding.target.uid)
    ? { ...finding, verdict: 'follows', why: { code: 'waits-for-others' } }
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
      const removed = (where: Hold['where']) =>
        holds
          .filter(hold => hold.where === where && removes(hold, ref.uid))
          .map(({ finalizer }) => finalizer);
      const [inMetadata, inSpec] = [removed('metadata'), removed('spec')];
      const wave = waves.get(ref.uid) ?? 0;
      const goes = going.has(ref.uid);
      const keeps = finalizers.filter(finalizer => !inMetadata.includes(finalizer));
      const metadata: FinalizerAction = {
        target: ref,
        remove: inMetadata,
        keeps,
        where: 'metadata',
        goes,
        wave,
      };
      // last of all: what is inside is abandoned then
      const spec: FinalizerAction = {
        target: ref,
        remove: inSpec,
        keeps,
        where: 'spec',
        goes,
        wave: wave + 1,
      };
      return [metadata, spec].filter(({ remove }) => remove.length > 0);
    })
    .sort((a, b) => a.wave - b.wave);
}

/** What is in a Namespace that is finalized by force stays in storage, out of reach. */
function abandonedBy(actions: readonly FinalizerAction[], snapshot: UnstickSnapshot): number {
  return actions
    .filter(({ where }) => where === 'spec')
    .flatMap(({ target }) => snapshot.inside.get(target.uid)?.counts ?? [])
    .reduce((sum, { count }) => sum + count, 0);
}
