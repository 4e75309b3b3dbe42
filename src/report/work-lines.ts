// How far a stop is: on a terminal a small table that the next one replaces, each Pod with its containers and the grace it has left.
import { label, plain } from '../model/ref.ts';
import type { JobProgress, PodProgress } from '../model/stopping.ts';
import { plural } from './counted.ts';
import { table } from './table.ts';

const rowsShown = 8;

export function workLines(jobs: readonly JobProgress[]): string[] {
  const pods = jobs.flatMap(job => job.pods.filter(({ is }) => is !== 'ended'));
  const head = `waiting for ${plural(jobs.length, 'Job')}, ${plural(pods.length, 'Pod')}`;
  const rows = pods.length > 0 ? pods.map(podRow) : jobs.map(jobRow);
  const more = rows.length - rowsShown;
  return [head, ...table(rows.slice(0, rowsShown)), ...(more > 0 ? [`… ${more} more`] : [])];
}

const jobRow = ({ target, is }: JobProgress): string[] => [`  ${plain(label(target))}`, jobWords[is]];

const jobWords: Record<JobProgress['is'], string> = {
  holding: 'its limits are being lifted',
  ending: 'ending',
  uncounted: 'its Pods have ended, the Job controller has not counted them yet',
  closing: 'waiting for the Job controller to end it',
  closed: 'ended',
  suspended: 'suspended by somebody',
  deleted: 'being deleted',
};

function podRow(pod: PodProgress): string[] {
  const { target, containers, is, phase } = pod;
  const states = containers
    .filter(({ kind, is: state }) => kind === 'container' || state === 'running')
    .map(({ name, is: state, reason, exitCode }) =>
      plain(`${name} ${state === 'terminated' ? `ended (${exitCode ?? '?'})` : (reason ?? state)}`),
    );
  return [`  ${plain(label(target))}`, podWords(pod, is === 'phase-only' ? phase : ''), states.join(', ')];
}

function podWords({ is, leftSeconds, graceSeconds, nodeSilent, node }: PodProgress, phase: string): string {
  if (nodeSilent) return `node ${node ?? ''} does not answer`;
  switch (is) {
    case 'running':
      return 'running';
    case 'never-started':
      return 'never started';
    case 'phase-only':
      return `${phase}, a container still runs`;
    case 'ended':
      return 'ended';
    case 'ending':
    case 'terminating': {
      const what = is === 'ending' ? 'ending' : 'being deleted';
      if (leftSeconds === undefined) return what;
      return leftSeconds < 0
        ? `${what}, ${-leftSeconds}s past its grace of ${graceSeconds}s`
        : `${what}, ${leftSeconds}s of ${graceSeconds}s left`;
    }
  }
}
