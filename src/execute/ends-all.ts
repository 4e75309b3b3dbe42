import type { ProblemCode } from '../model/problem.ts';

/** Nobody answers, or nobody lets us in any more: the next write would fare no better, and each would wait its own minute. */
export const endsAll: ReadonlySet<ProblemCode> = new Set(['unreachable', 'unauthorized']);
