// spec.finalizers of a Namespace: a PATCH of the namespace answers 200 and does not change them; only a PUT of the whole object to
// /finalize does. The object is read first, so that labels and annotations go back as they are.
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import { fieldsIn, fieldsOf } from './adapt-meta.ts';
import type { Written } from './contract.ts';
import { malformed } from './pages.ts';
import { pathOf, withQuery } from './path.ts';
import { refusedWrite } from './refused-write.ts';
import type { Answer } from './request.ts';
import type { Transport } from './transport.ts';

export async function finalizeNamespace(
  transport: Transport,
  target: Ref,
  dryRun: boolean,
): Promise<Written> {
  const path = pathOf(target.kind, undefined, target.name);
  const read = await transport.send({ method: 'GET', path, repeatable: true });
  if ('problem' in read) return failed(read.problem);
  if (read.answer.status !== 200) return refusedRead(read.answer, target);
  const namespace = fieldsIn(read.answer.body);
  if (namespace === undefined) return failed(malformed(new Error('the Namespace is no JSON')));
  const { uid, resourceVersion } = fieldsOf(namespace['metadata']);
  if (uid !== target.uid) return { state: 'already-gone' };
  // PUT carries the version that was read now: what was decided on must be that one
  if (resourceVersion !== target.resourceVersion) return failed(changed(target));
  const sent = await transport.send({
    method: 'PUT',
    path: withQuery(`${path}/finalize`, { dryRun: dryRun ? 'All' : undefined }),
    body: JSON.stringify({ ...namespace, spec: { ...fieldsOf(namespace['spec']), finalizers: [] } }),
    contentType: 'application/json',
    // the body has uid and version
    repeatable: true,
    onlyIfBroken: true,
  });
  return 'problem' in sent ? failed(sent.problem) : answered(sent.answer, target);
}

/** The read of a repeated GET answers no write of ours. */
const refusedRead = (answer: Answer, target: Ref): Written =>
  refusedWrite({ ...answer, mayHaveArrivedBefore: false }, target, { state: 'done' });

const failed = (problem: Problem): Written => ({ state: 'failed', problem });

const answered = (answer: Answer, target: Ref): Written =>
  answer.status < 300 ? { state: 'done' } : refusedWrite(answer, target, { state: 'done' });

const changed = ({ name }: Ref): Problem => ({
  code: 'changed-since-read',
  status: 409,
  text: `Error from server (Conflict): namespaces "${name}" has been modified since it was read`,
});
