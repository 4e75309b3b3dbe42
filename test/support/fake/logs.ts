// Logs of containers, in the words of a kubelet as the API server passes them on (1.37.2: pkg/kubelet/kubelet_pods.go,
// validateContainerLogStatus; measured with a kubelet of the tests' own, test/e2e/logs.test.ts).
import { type Answer, failure } from './answer.ts';
import { fieldsOf, type RawObject } from './object.ts';

export interface LogOf {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Of its run before the newest one. */
  readonly previous?: boolean;
}

export const logKey = ({ namespace, pod, container, previous = false }: LogOf): string =>
  [namespace, pod, container, previous].join('/');

export function answerLog(
  logs: ReadonlyMap<string, string>,
  { metadata, spec, status }: RawObject,
  query: Readonly<Record<string, string>>,
): Answer {
  const { name, namespace = '' } = metadata;
  const container = query['container'] ?? '';
  if (!containersIn(fieldsOf(spec), 'ontainers').includes(container))
    return refused(`container ${container} is not valid for pod ${name}`);
  if (fieldsOf(spec)['nodeName'] === undefined) return { status: 204, body: '' };
  const previous = query['previous'] === 'true';
  const text = logs.get(logKey({ namespace, pod: name, container, previous }));
  if (text !== undefined) return { status: 200, body: text, headers: { 'content-type': 'text/plain' } };
  const where = `container "${container}" in pod "${name}"`;
  if (previous) return refused(`previous terminated ${where} not found`);
  const waiting = waitingReason(fieldsOf(status), container);
  if (waiting === undefined) return { status: 200, body: '', headers: { 'content-type': 'text/plain' } };
  return refused(waiting === '' ? `${where} is not available` : `${where} is waiting to start: ${waiting}`);
}

const refused = (message: string): Answer => failure({ status: 400, reason: 'BadRequest', message });

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : []);

/** `containers`, `initContainers`, `ephemeralContainers`. */
const containersIn = (fields: ReturnType<typeof fieldsOf>, ending: string) =>
  Object.entries(fields)
    .filter(([key]) => key.endsWith(ending))
    .flatMap(([, list]) => listOf(list).map(({ name }) => name));

/** Undefined: it has started. Empty: its status says nothing of it. */
function waitingReason(status: ReturnType<typeof fieldsOf>, container: string): string | undefined {
  const states = Object.entries(status)
    .filter(([key]) => key.endsWith('ontainerStatuses'))
    .flatMap(([, list]) => listOf(list));
  const found = states.find(({ name }) => name === container);
  if (found === undefined) return '';
  const { waiting } = fieldsOf(found['state']);
  return waiting === undefined ? undefined : String(fieldsOf(waiting)['reason'] ?? 'ContainerCreating');
}
