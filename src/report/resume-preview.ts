// The preview of `resume`: what each object is given back, and what will happen because of it. Without words, what is stopped.
import type { Memory } from '../model/memory.ts';
import type { Finding, ResumePlan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { age } from './age.ts';
import { changeWords } from './change-words.ts';
import { plural } from './counted.ts';
import { heading } from './heading.ts';
import { typedFor } from './next-command.ts';
import { noteLines } from './note-lines.ts';
import { table } from './table.ts';
import { reasons } from './words.ts';

const rowsShown = 40;

export function resumePreview(plan: ResumePlan, wide: boolean): string[] {
  const rows = plan.findings.map(finding => rowOf(finding, plan));
  const shown = wide ? rows : rows.slice(0, rowsShown);
  const more = rows.length - shown.length;
  return [
    heading(plan),
    '',
    ...table(shown),
    ...(more > 0 ? [`… ${more} more (-o wide shows all)`] : []),
    ...(rows.length === 0 ? [] : ['']),
    summary(plan),
    ...noteLines(plan),
  ];
}

function rowOf({ target, verdict, why, seen }: Finding, plan: ResumePlan): string[] {
  const memory = seen.as === 'source' ? seen.memory : undefined;
  const changes = seen.as === 'source' ? seen.changes.map(changeWords).join(' · ') : '';
  const said =
    verdict === 'resume'
      ? [changes, why.code === 'given-back' ? '' : reasons[why.code].row(why.facts ?? {})]
          .filter(Boolean)
          .join('; ')
      : `${verdict === 'refused' ? 'refused: ' : ''}${verdict === 'already-stopped' ? 'stopped' : reasons[why.code].row(why.facts ?? {})}`;
  const many = plan.namespaces.length !== 1 && target.namespace !== undefined ? `${target.namespace}: ` : '';
  return [
    plain(`${many}${label(target)}`),
    plain(said),
    memory === undefined ? '' : plain(stoppedBy(memory, plan.takenAt)),
  ];
}

/** `by anna 3h ago, INC-1234` */
function stoppedBy({ by, at, reason }: Memory, now: Date): string {
  return `(by ${by} ${age(now.getTime() - at.getTime())} ago${reason === undefined ? '' : `, ${reason}`})`;
}

function summary(plan: ResumePlan): string {
  if (plan.findings.some(({ verdict }) => verdict === 'refused')) return 'Nothing will be given back.';
  const stopped = plan.findings.filter(({ verdict }) => verdict === 'already-stopped').length;
  if (stopped > 0)
    return `${plural(stopped, 'object')} ${stopped === 1 ? 'is' : 'are'} stopped. Resume one: ${typedFor(plan)('kubectl jobctl', 'resume', 'TYPE/NAME')}`;
  if (plan.actions.length === 0)
    return plan.findings.length === 0 ? 'Nothing is stopped here.' : 'Nothing to resume.';
  return `${resumedOf(plan)} ${plan.dryRun === 'none' ? 'will' : 'would'} be resumed.`;
}

/** `1 CronJob`, `2 CronJobs and 1 run from the template` */
export function resumedOf(plan: ResumePlan): string {
  const resumed = plan.findings.filter(({ verdict }) => verdict === 'resume');
  const kinds = Map.groupBy(resumed, ({ target }) => target.kind.kind);
  const runs = plan.actions.filter(({ does }) => does === 'run-now').length;
  const parts = [
    ...[...kinds].map(([kind, of]) => plural(of.length, kind)),
    ...(runs > 0 ? [plural(runs, 'new Job')] : []),
  ];
  return parts.join(' and ');
}
