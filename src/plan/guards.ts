// Rules that every writing verb obeys before anything else: marks that protect an object, and namespaces that nobody prunes by accident.
import { isNamespaceKind } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { WritingOptions } from '../model/options.ts';
import { isHook } from '../model/protection.ts';
import type { Why } from '../model/why.ts';

/** More than this asks for a typed word. */
export const manyObjects = 100;

export interface Allowed {
  readonly includeProtected: boolean;
  /** Hooks are taken too. `delete` has no flag of its own for them: --include-protected stands for both. */
  readonly includeHooks: boolean;
  readonly allNamespaces: boolean;
}

/** Why this object is not to be touched, or undefined. */
export function protectedBy(object: ObjectMeta, allowed: Allowed): Why | undefined {
  if (isNobodysByAccident(object, allowed) && !allowed.includeProtected) {
    return { code: 'kube-namespace', facts: { namespace: object.ref.namespace ?? object.ref.name } };
  }
  const keep = object.marks.find(mark => !isHook(mark));
  if (keep !== undefined && !allowed.includeProtected) return { code: 'protected', facts: { mark: keep } };
  const hook = object.marks.find(isHook);
  if (hook !== undefined && !allowed.includeHooks) return { code: 'hook', facts: { mark: hook } };
  return undefined;
}

/** For `stop` and `resume`: what a stop has kept is theirs to go on with; whoever else asks to be left alone is. */
export const leftAlone = (object: ObjectMeta, { includeProtected, allNamespaces }: WritingOptions) =>
  protectedBy(withoutEvidence(object), { includeProtected, allNamespaces, includeHooks: includeProtected });

export const withoutEvidence = (object: ObjectMeta): ObjectMeta => ({
  ...object,
  marks: object.marks.filter(mark => mark !== 'jobctl-stopped'),
});

/** kube-* namespaces: what is in them under -A, and they themselves however they were named. */
export const isNobodysByAccident = (
  object: ObjectMeta,
  { allNamespaces }: Pick<Allowed, 'allNamespaces'>,
): boolean => isSystemNamespace(object) || (allNamespaces && isInKubeNamespace(object));

const isInKubeNamespace = (object: ObjectMeta): boolean => object.ref.namespace?.startsWith('kube-') ?? false;
/** kube-system and its like, named themselves. */
const isSystemNamespace = ({ ref }: ObjectMeta): boolean =>
  isNamespaceKind(ref.kind) && ref.name.startsWith('kube-');

/** A dependent's mark keeps its owner too: the garbage collector would take the dependent with it. */
export const keepMarkOf = (object: ObjectMeta): string | undefined =>
  object.marks.find(mark => !isHook(mark));
