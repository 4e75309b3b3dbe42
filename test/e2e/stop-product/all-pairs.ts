// So few combinations that every two values of two factors, where they can meet at all, meet in one of them.
import { type Combination, factorNames } from './combinations.ts';

/** `earlier=1 & ttl=0` */
export function pairsOf(combination: Combination): string[] {
  const values = factorNames.map(factor => `${factor}=${combination[factor]}`);
  return values.flatMap((one, at) => values.slice(at + 1).map(other => `${one} & ${other}`));
}

/** Greedy, always the one that meets most of what is still missing; the last of equals, which has more Pods and more failures. */
export function allPairs(possible: readonly Combination[]): readonly Combination[] {
  const candidates = possible.map(combination => ({ combination, pairs: pairsOf(combination) }));
  const missing = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: Combination[] = [];
  const gainOf = (pairs: readonly string[]) => pairs.filter(pair => missing.has(pair)).length;
  while (missing.size > 0) {
    const best = candidates.reduce((left, right) =>
      gainOf(right.pairs) >= gainOf(left.pairs) ? right : left,
    );
    chosen.push(best.combination);
    for (const pair of best.pairs) missing.delete(pair);
  }
  return chosen;
}
