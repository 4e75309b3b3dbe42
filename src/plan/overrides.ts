// What --include-protected has overridden, counted by mark: what would have stayed without it, so that it is read before and not after.
import type { ObjectMeta } from '../model/object.ts';
import { isHook, type Mark } from '../model/protection.ts';
import type { Note } from '../model/why.ts';
import { type Allowed, isNobodysByAccident } from './guards.ts';

/** What the plan acts on, and what it takes with it. */
interface Acted {
  readonly targets: readonly ObjectMeta[];
  /** Their own marks would have kept what they hang under; hooks and kube-* namespaces are asked of targets alone. */
  readonly dependents?: readonly ObjectMeta[];
  /** Protected objects inside a Namespace or of a definition. */
  readonly contents?: number;
}

type Overridden = Mark | 'kube-namespace';

/** `includeHooks`: hooks are taken anyway, so that the flag does not override them. */
export function overrideNotes(
  { includeProtected, allNamespaces }: Pick<Allowed, 'includeProtected' | 'allNamespaces'>,
  { includeHooks }: Pick<Allowed, 'includeHooks'>,
  { targets, dependents = [], contents = 0 }: Acted,
): Note[] {
  if (!includeProtected) return [];
  const ofTarget = (target: ObjectMeta): Overridden[] => [
    ...(isNobodysByAccident(target, { allNamespaces }) ? ['kube-namespace' as const] : []),
    ...target.marks.filter(mark => !(includeHooks && isHook(mark))),
  ];
  const found = [
    ...targets.flatMap(ofTarget),
    ...dependents.flatMap(({ marks }) => marks.filter(mark => !isHook(mark))),
  ];
  const counts = [...Map.groupBy(found, what => what)].map(([what, { length }]) => [what, length] as const);
  const facts = Object.fromEntries([...counts, ...(contents > 0 ? [['contents', contents] as const] : [])]);
  return Object.keys(facts).length === 0 ? [] : [{ code: 'overrides-protection', facts }];
}
