// SelfSubjectAccessReview: may we? A POST that writes nothing, allowed in a dry run too.
import { given } from '../model/given.ts';
import { fieldsOf } from './adapt-meta.ts';
import type { Asking } from './contract.ts';
import type { Transport } from './transport.ts';

export async function reviewAccess(
  transport: Transport,
  verb: string,
  { kind, namespace, name, subresource }: Asking,
): Promise<'yes' | 'no' | 'unknown'> {
  const { group, resource } = kind;
  const resourceAttributes = { verb, group, resource, ...given({ namespace, name, subresource }) };
  const sent = await transport.send({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    }),
    repeatable: true,
  });
  if ('problem' in sent || sent.answer.status >= 300) return 'unknown';
  try {
    return fieldsOf(fieldsOf(JSON.parse(sent.answer.body))['status'])['allowed'] === true ? 'yes' : 'no';
  } catch {
    return 'unknown';
  }
}
