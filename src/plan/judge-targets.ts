// `delete`, all targets together: one that is to stay keeps what owns it, because a cascade would take it. To a fixpoint.
import type { ObjectMeta } from '../model/object.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { Finding } from '../model/plan.ts';
import { label } from '../model/ref.ts';
import type { DeleteSnapshot, Looked } from '../model/snapshot.ts';
import { aboveKept, targetFinding } from './delete-verdicts.ts';
import { fates } from './dependents.ts';
import { keepMarkOf } from './guards.ts';
import { isAliveIn } from './owner-alive.ts';

export function judgeTargets(
  targets: readonly Looked[],
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
  chosen: ReadonlySet<string> | undefined,
): Finding[] {
  let judged = targets.map(looked => targetFinding(looked, snapshot, options, chosen));
  if (options.propagation === 'Orphan') return judged;
  for (let changed = true; changed; ) {
    const going = judged.filter(finding => finding.verdict === 'delete');
    const uids = new Set(going.map(finding => finding.target.uid));
    const staying = new Set(
      judged
        .filter(({ verdict }) => verdict === 'stays' || verdict === 'refused')
        .map(({ target }) => target.uid),
    );
    const others = [...snapshot.dependents, ...targets.filter(({ object }) => !uids.has(object.ref.uid))];
    const above = aboveKept(
      fates(uids, others, isAliveIn(snapshot)),
      object => staying.has(object.ref.uid) || isToStay(object, options),
    );
    // what is a target itself and goes may carry no mark that was not judged already
    changed = going.some(finding => above.has(finding.target.uid));
    judged = judged.map(finding => keptBy(finding, above.get(finding.target.uid), options));
  }
  return judged;
}

/** A keep mark, or a preset `orphan` finalizer: the collector would honour that, a Background delete of ours would override it. */
const isToStay = (object: ObjectMeta, options: DeleteOptions): boolean =>
  object.finalizers.includes('orphan') || (!options.includeProtected && keepMarkOf(object) !== undefined);

function keptBy(finding: Finding, dependent: ObjectMeta | undefined, options: DeleteOptions): Finding {
  if (dependent === undefined || finding.verdict !== 'delete') return finding;
  const orphan = dependent.finalizers.includes('orphan') ? 'finalizer orphan' : 'it is to stay';
  const why = {
    code: 'kept-dependent',
    facts: { name: label(dependent.ref), mark: keepMarkOf(dependent) ?? orphan },
  } as const;
  return { ...finding, verdict: options.words.by === 'selection' ? 'stays' : 'refused', why };
}
