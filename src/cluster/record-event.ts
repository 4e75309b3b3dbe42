// A core Event: the place where an object's history is read (`kubectl describe`, `kubectl events`).
import type { EventNote, Written } from './contract.ts';
import { pathOf, withQuery } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

const events = { group: '', version: 'v1', resource: 'events' } as const;
/** The server's limit of a message. Source: pkg/apis/core/validation/events.go NoteLengthLimit. */
const longestMessage = 1024;

export async function recordEvent(
  transport: Transport,
  { about, reason, message, at }: EventNote,
  dryRun: boolean,
): Promise<Written> {
  const namespace = about.namespace ?? 'default';
  const { kind, name, uid, resourceVersion } = about;
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const time = at.toISOString().replace(/\.\d+Z$/, 'Z');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    // as client-go's recorder names them: the object's name and the moment
    metadata: { name: `${name}.${uid.slice(0, 8)}${at.getTime().toString(16)}`, namespace },
    involvedObject: { apiVersion, kind: kind.kind, name, namespace: about.namespace, uid, resourceVersion },
    reason,
    message: message.slice(0, longestMessage),
    type: 'Normal',
    source: { component: 'kubectl-jobctl' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  const sent = await transport.send({
    method: 'POST',
    path: withQuery(pathOf(events, namespace), { dryRun: dryRun ? 'All' : undefined }),
    body: JSON.stringify(event),
    // a second arrival meets its own name: 409, and nothing else happens
    repeatable: true,
    onlyIfBroken: true,
  });
  if ('problem' in sent) return { state: 'failed', problem: sent.problem };
  const { status, body, mayHaveArrivedBefore } = sent.answer;
  const isThere = status < 300 || (status === 409 && mayHaveArrivedBefore);
  return isThere ? { state: 'done' } : { state: 'failed', problem: problemOfAnswer(status, body) };
}
