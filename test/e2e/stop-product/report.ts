// What a trial came to, in words: how many ran, how long, how many held, and where Pods appeared.
import { type Combination, fullProduct, impossible, nameOf, whyImpossible } from './combinations.ts';
import type { Tried } from './try.ts';
import type { Verdict } from './verdict.ts';

/** One line for each reason, with how many combinations it rules out. */
export function impossibleLines(): string[] {
  const all = fullProduct();
  return impossible.map(reason => {
    const count = all.filter(combination => whyImpossible(combination) === reason).length;
    return `${count} impossible (${reason.says}): ${reason.because}`;
  });
}

export function timesLine({ seconds, verdicts, told }: Tried): string {
  const held = verdicts.filter(({ broken }) => broken.length === 0).length;
  const pods = verdicts.reduce((sum, { tried }) => sum + tried.pods.length, 0);
  const [start, stop, watch] = [seconds.start, seconds.stop, seconds.watch].map(one => one.toFixed(1));
  return `${verdicts.length} combinations with ${pods} Pods: running after ${start} s, stopped in ${stop} s (exit ${told.code}), watched for ${watch} s: ${held} held`;
}

/** Each that did not hold, with what did not. */
export const brokenLines = (verdicts: readonly Verdict[]): string[] =>
  verdicts
    .filter(({ broken }) => broken.length > 0)
    .map(({ tried, broken }) => `${nameOf(tried.combination)}: ${broken.join('; ')}`);

const kindOf = ({ restartPolicy, policy, parallelism, earlier }: Combination): string =>
  `${restartPolicy}, policy ${policy}, ${parallelism} Pods, ${earlier} earlier`;

/** Where Pods appeared while they were stopped, of how many such combinations. */
export function appearedLines(verdicts: readonly Verdict[]): string[] {
  const byKind = Map.groupBy(verdicts, ({ tried }) => kindOf(tried.combination));
  return [...byKind].flatMap(([kind, all]) => {
    const some = all.filter(({ appeared }) => appeared > 0);
    const pods = some.reduce((sum, { appeared }) => sum + appeared, 0);
    const gone = some.reduce((sum, { appearedAndGone }) => sum + appearedAndGone, 0);
    const left = gone === 0 ? '' : `, ${gone} of them gone again`;
    return some.length === 0 ? [] : [`${kind}: ${pods} Pods in ${some.length} of ${all.length}${left}`];
  });
}
