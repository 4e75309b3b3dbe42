// The preview of `stop`: its steps in the order in which they run, and what stays as it is.
import type { Finding, StopPlan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { changeWords } from './change-words.ts';
import { countOf, plural } from './counted.ts';
import { heading } from './heading.ts';
import { noteLines } from './note-lines.ts';
import { table } from './table.ts';
import { reasons } from './words.ts';

const rowsShown = 40;

export function stopPreview(plan: StopPlan, wide: boolean): string[] {
  const rows = [...stepRows(plan)];
  const shown = wide ? rows : rows.slice(0, rowsShown);
  const more = rows.length - shown.length;
  const others = otherRows(plan, wide);
  return [
    heading(plan),
    '',
    ...table(shown),
    ...(more > 0 ? [`… ${more} more (-o wide shows all)`] : []),
    ...(others.length === 0 ? [] : ['', ...others]),
    '',
    summary(plan),
    ...noteLines(plan),
  ];
}

function* stepRows(plan: StopPlan): Generator<string[]> {
  const stopped = plan.findings.filter(({ verdict }) => verdict === 'stop');
  const sources = stopped.filter(({ seen }) => seen.as === 'source');
  const jobs = stopped.filter(({ seen }) => seen.as === 'work');
  const pods = stopped.filter(({ seen }) => seen.as === 'pod');
  const many = new Set(stopped.map(({ target }) => target.namespace)).size > 1;
  const name = ({ target }: Finding): string =>
    plain(`${many && target.namespace !== undefined ? `${target.namespace}: ` : ''}${label(target)}`);
  let step = 0;
  const next = (): string => String(++step);
  const { save } = plan.terms;
  if (save !== undefined && jobs.length > 0)
    yield [
      next(),
      'save',
      plain(save.dir),
      'manifests, events and logs, before the first write and at the end',
    ];
  yield* numbered(next, sources, finding => ['suspend', name(finding), sourceWords(finding)]);
  yield* numbered(next, jobs, finding => ['hold', name(finding), jobWords(finding)]);
  yield* numbered(next, pods, finding => ['end', name(finding), podWords(finding)]);
  yield* numbered(next, jobs.slice(0, 1), () => [
    'close',
    countOf(jobs.map(({ target }) => target)),
    closeWords(jobs),
  ]);
  if (jobs.length > 0)
    yield [next(), 'look', 'same Pods, containers ended, nothing new, still suspended', ''];
}

/** The number stands at the first row of a step. */
function* numbered(
  next: () => string,
  findings: readonly Finding[],
  row: (finding: Finding) => string[],
): Generator<string[]> {
  for (const [at, finding] of findings.entries()) yield [at === 0 ? next() : '', ...row(finding)];
}

function sourceWords({ seen, why }: Finding): string {
  if (seen.as !== 'source') return '';
  const changes = seen.changes.map(changeWords).join(' · ');
  const because = why.code === 'makes-these-jobs' ? ` (${reasons[why.code].row({})})` : '';
  return `${changes}${because}`;
}

function jobWords({ seen }: Finding): string {
  if (seen.as !== 'work') return '';
  const failures =
    seen.failed === 0 ? '' : ` (${plural(seen.failed, 'failure')} so far: nothing trips while a Pod runs)`;
  return `${seen.changes.map(changeWords).join(' · ')}${failures}`;
}

function podWords({ seen, why }: Finding): string {
  if (seen.as !== 'pod') return '';
  if (why.code === 'pod-never-started') return reasons[why.code].row({});
  const hooks = seen.preStopHooks === 0 ? '' : `, preStop: ${plural(seen.preStopHooks, 'hook')}`;
  return `TERM, up to ${seen.graceSeconds}s grace${hooks}`;
}

/** Which way each Job comes to its end. */
function closeWords(jobs: readonly Finding[]): string {
  const byDeadline = jobs.filter(({ seen }) => seen.as === 'work' && seen.route === 'by-deadline').length;
  const byCount = jobs.length - byDeadline;
  const parts = [
    ...(byCount > 0
      ? [`${byCount === jobs.length ? '' : `${byCount} `}by backoffLimit (BackoffLimitExceeded)`]
      : []),
    ...(byDeadline > 0
      ? [`${byDeadline === jobs.length ? '' : `${byDeadline} `}by the Job's own deadline (DeadlineExceeded)`]
      : []),
  ];
  return `parallelism 0, then ${parts.join(', ')}`;
}

const isOther = ({ verdict }: Finding): boolean => verdict !== 'stop';

function otherRows({ findings }: StopPlan, wide: boolean): string[] {
  const isSaid = ({ verdict, why, under }: Finding): boolean =>
    wide || verdict === 'refused' || why.code === 'pod-terminating' || under === undefined;
  const rows = findings.filter(isOther).filter(isSaid);
  const shown = wide ? rows : rows.slice(0, rowsShown);
  return [
    ...table(
      shown.map(({ target, verdict, why }) => [
        plain(label(target)),
        plain(`${verdict === 'refused' ? 'refused: ' : ''}${reasons[why.code].row(why.facts ?? {})}`),
      ]),
    ),
    ...(rows.length > shown.length ? [`… ${rows.length - shown.length} more (-o wide shows all)`] : []),
  ];
}

function summary(plan: StopPlan): string {
  if (plan.findings.some(({ verdict }) => verdict === 'refused')) return 'Nothing will be stopped.';
  if (plan.actions.length === 0) return 'Nothing to stop.';
  const kept = plan.findings.filter(({ why }) => why.code === 'pod-ended').length;
  const will = plan.dryRun === 'none' ? 'will' : 'would';
  const tail =
    kept === 0 ? '' : ` ${plural(kept, 'Pod')} that ended before ${kept === 1 ? 'stays' : 'stay'} too.`;
  const lost = plan.terms.notKept.length;
  const but = lost === 0 ? '' : `, but for ${plural(lost, 'Pod')} that cannot be kept`;
  return `${stoppedOf(plan)} ${will} be stopped; every Job and Pod stays${but}.${tail}`;
}

/** `1 CronJob, 1 Job, 1 running Pod` */
export function stoppedOf(plan: StopPlan): string {
  const stopped = plan.findings.filter(({ verdict }) => verdict === 'stop');
  const kinds = Map.groupBy(
    stopped.filter(({ seen }) => seen.as !== 'pod'),
    ({ target }) => target.kind.kind,
  );
  const pods = stopped.filter(
    ({ seen, why }) => seen.as === 'pod' && why.code !== 'pod-never-started',
  ).length;
  return [
    ...[...kinds].map(([kind, of]) => plural(of.length, kind)),
    ...(pods > 0 ? [plural(pods, 'running Pod')] : []),
  ].join(', ');
}
