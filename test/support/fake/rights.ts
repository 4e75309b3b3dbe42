// Who may do what: everything, until a test says otherwise. The last rule that fits decides.
import { type Kind, resourceName } from '../../../src/model/kind.ts';
import { type Answer, failure, json } from './answer.ts';
import { type Fields, fieldsOf } from './object.ts';

interface Rule {
  readonly allowed: boolean;
  readonly verb: string;
  /** `jobs`, `jobs.batch` or `*`. */
  readonly resource: string;
  /** Absent: in every namespace and at the cluster scope. */
  readonly namespace: string | undefined;
}

interface Wish {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string | undefined;
}

export class Rights {
  readonly #rules: Rule[] = [];

  deny(verb: string, resource: string, namespace?: string): this {
    this.#rules.push({ allowed: false, verb, resource, namespace });
    return this;
  }

  /** After `deny('*', '*')` this is a Role in one namespace. */
  allow(verb: string, resource: string, namespace?: string): this {
    this.#rules.push({ allowed: true, verb, resource, namespace });
    return this;
  }

  allows(wish: Wish): boolean {
    const names = ['*', wish.resource, resourceName(wish)];
    const rule = this.#rules.findLast(
      ({ verb, resource, namespace }) =>
        (verb === '*' || verb === wish.verb) &&
        names.includes(resource) &&
        (namespace === undefined || namespace === wish.namespace),
    );
    return rule?.allowed ?? true;
  }
}

export function forbidden(
  kind: Kind,
  wish: Wish & { readonly user: string; readonly name: string | undefined },
): Answer {
  const named = wish.name === undefined ? '' : ` "${wish.name}"`;
  const where =
    wish.namespace === undefined ? 'at the cluster scope' : `in the namespace "${wish.namespace}"`;
  return failure({
    status: 403,
    reason: 'Forbidden',
    message: `${resourceName(kind)}${named} is forbidden: User "${wish.user}" cannot ${wish.verb} resource "${kind.resource}" in API group "${kind.group}" ${where}`,
    details: {
      ...(wish.name === undefined ? {} : { name: wish.name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.resource,
    },
  });
}

/** SelfSubjectAccessReview. */
export function review(rights: Rights, body: unknown): Answer {
  const spec = fieldsOf(fieldsOf(body)['spec']);
  const attributes: Fields = fieldsOf(spec['resourceAttributes']);
  const text = (key: string) => (typeof attributes[key] === 'string' ? attributes[key] : '');
  const allowed = rights.allows({
    verb: text('verb'),
    group: text('group'),
    resource: text('resource'),
    namespace: text('namespace') === '' ? undefined : text('namespace'),
  });
  const head = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {} };
  return json(201, { ...head, spec, status: { allowed } });
}
