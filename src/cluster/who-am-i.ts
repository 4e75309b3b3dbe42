// How the server knows the user. A kubeconfig's user name says nothing about that: it is a name for a way to log in.
import { fieldsOf, textOf } from './adapt-meta.ts';
import type { Read } from './contract.ts';
import { malformed } from './pages.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

/** SelfSubjectReview: everybody may ask it; served since 1.28. */
export async function whoAmI(transport: Transport): Promise<Read<string>> {
  const sent = await transport.send({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    repeatable: true,
  });
  if ('problem' in sent) return { state: 'unreadable', problem: sent.problem };
  const { status, body } = sent.answer;
  if (status >= 300) return { state: 'unreadable', problem: problemOfAnswer(status, body) };
  try {
    const user = fieldsOf(fieldsOf(fieldsOf(JSON.parse(body))['status'])['userInfo']);
    const name = textOf(user['username']);
    return name === undefined ? { state: 'absent' } : { state: 'read', value: name };
  } catch (problem) {
    return { state: 'unreadable', problem: malformed(problem) };
  }
}
