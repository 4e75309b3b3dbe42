// May we save logs and write an Event? Asked before the first write; neither is needed to stop.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Kind } from '../model/kind.ts';
import type { StopOptions } from '../model/options.ts';
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
const events: Kind = { ...core, kind: 'Event', resource: 'events', singular: 'event' };

type Verb = 'get' | 'list' | 'create';
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
  const maySave: string[] = [];
  let mayRecord = true;
  const ask = ({ verb, ...asking }: Question) => read.mayI(verb, asking);
  for await (const { item, result } of pool(questions, reviewsAtOnce, never, ask)) {
    if (result !== 'no') continue;
    if (item.verb === 'create') mayRecord = false;
    else maySave.push(`${item.verb} ${nameOf(item)} in ${item.namespace}`);
  }
  return { maySave: maySave.sort(), mayRecord };
}

const nameOf = ({ kind, subresource }: Question): string =>
  subresource === undefined ? kind.resource : `${kind.resource}/${subresource}`;
