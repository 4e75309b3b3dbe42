// May we save logs, write an Event, make a Job? Asked before the first write.
import type { ClusterReader } from '../cluster/contract.ts';
import type { JobSource } from '../model/job-source.ts';
import { isCronJobKind, type Kind, resourceName } from '../model/kind.ts';
import type { ResumeOptions, StopOptions } from '../model/options.ts';
import { never, pool } from '../pool.ts';

const reviewsAtOnce = 8;

const core = {
  group: '',
  version: 'v1',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
} as const;
const pods: Kind = { ...core, kind: 'Pod', resource: 'pods', singular: 'pod' };
const jobs: Kind = { ...core, group: 'batch', kind: 'Job', resource: 'jobs', singular: 'job' };
const events: Kind = { ...core, kind: 'Event', resource: 'events', singular: 'event' };

type Verb = 'get' | 'list' | 'create' | 'patch';
interface Question {
  readonly verb: Verb;
  readonly kind: Kind;
  readonly namespace: string;
  readonly subresource?: string;
}

export async function readEvidenceRights(
  read: ClusterReader,
  namespaces: readonly string[],
  options: Pick<StopOptions, 'noSave' | 'suspendOnly'>,
): Promise<{ maySave: string[]; mayRecord: boolean }> {
  const saves = !options.noSave && !options.suspendOnly;
  const questions = namespaces.flatMap((namespace): Question[] => [
    { verb: 'create', kind: events, namespace },
    ...(saves
      ? ([
          { verb: 'get', kind: pods, namespace, subresource: 'log' },
          { verb: 'list', kind: events, namespace },
        ] as const)
      : []),
  ]);
  const denied = await deniedOf(questions, read);
  return {
    maySave: denied
      .filter(one => !isEvent(one))
      .map(sentenceOf)
      .sort(),
    mayRecord: !denied.some(isEvent),
  };
}

/** `--run-now` makes a Job, `--skip-missed` writes a status. */
export async function readResumeRights(
  read: ClusterReader,
  sources: readonly JobSource[],
  options: Pick<ResumeOptions, 'runNow' | 'skipMissed'>,
): Promise<{ mayNot: string[]; mayRecord: boolean }> {
  const cronJobs = sources.filter(({ ref }) => isCronJobKind(ref.kind));
  const namespaces = new Set(sources.map(({ ref }) => ref.namespace ?? ''));
  const questions = [...namespaces].flatMap((namespace): Question[] => {
    const kind = cronJobs.find(({ ref }) => ref.namespace === namespace)?.ref.kind;
    if (kind === undefined) return [{ verb: 'create', kind: events, namespace }];
    return [
      { verb: 'create', kind: events, namespace },
      ...(options.runNow ? [{ verb: 'create' as const, kind: jobs, namespace }] : []),
      ...(options.skipMissed ? [{ verb: 'patch' as const, kind, namespace, subresource: 'status' }] : []),
    ];
  });
  const denied = await deniedOf(questions, read);
  return {
    mayNot: denied
      .filter(one => !isEvent(one))
      .map(sentenceOf)
      .sort(),
    mayRecord: !denied.some(isEvent),
  };
}

const isEvent = ({ verb, kind }: Question): boolean => verb === 'create' && kind.kind === 'Event';

async function deniedOf(questions: readonly Question[], read: ClusterReader): Promise<Question[]> {
  const denied: Question[] = [];
  const ask = ({ verb, ...asking }: Question) => read.mayI(verb, asking);
  for await (const { item, result } of pool(questions, reviewsAtOnce, never, ask))
    if (result === 'no') denied.push(item);
  return denied;
}

const sentenceOf = (one: Question): string => `${one.verb} ${nameOf(one)} in ${one.namespace}`;

const nameOf = ({ kind, subresource }: Question): string =>
  subresource === undefined ? resourceName(kind) : `${resourceName(kind)}/${subresource}`;
