// What running work can be like when it is stopped: nine factors, all their combinations, and those that cannot be.

const factors = {
  restartPolicy: ['Never', 'OnFailure'],
  /** Pods that have failed before (Never), or restarts of each container (OnFailure). */
  earlier: [0, 1, 3],
  parallelism: [1, 3],
  indexed: [false, true],
  /** How long the Pods of one Job take from being told to end to their end: all the same, or far apart. */
  grace: ['equal', 'different'],
  policy: ['none', 'ignore', 'per-index'],
  ttl: ['unset', 0],
  failedLimit: ['unset', 0, 1],
  concurrency: ['Allow', 'Forbid', 'Replace'],
} as const;

export type Factor = keyof typeof factors;
export type Combination = { readonly [F in Factor]: (typeof factors)[F][number] };

export const factorNames = Object.keys(factors) as readonly Factor[];

/** `the server`: it refuses to create such a Job. `the same`: another combination is the same Job. */
export interface Impossible {
  readonly because: string;
  readonly says: 'the server' | 'the same';
  readonly is: (combination: Combination) => boolean;
}

/** Each combination counts under the first that fits. */
export const impossible: readonly Impossible[] = [
  {
    because: 'podFailurePolicy is supported with restartPolicy Never only',
    says: 'the server',
    is: ({ policy, restartPolicy }) => policy === 'ignore' && restartPolicy === 'OnFailure',
  },
  {
    because: 'backoffLimitPerIndex requires indexed completion mode',
    says: 'the server',
    is: ({ policy, indexed }) => policy === 'per-index' && !indexed,
  },
  {
    because: 'with parallelism 1 there is no second Pod whose end could differ',
    says: 'the same',
    is: ({ grace, parallelism }) => grace === 'different' && parallelism === 1,
  },
];

export const whyImpossible = (combination: Combination): Impossible | undefined =>
  impossible.find(({ is }) => is(combination));

export const isPossible = (combination: Combination): boolean => whyImpossible(combination) === undefined;

/** Every combination, the impossible ones too. */
export function fullProduct(): readonly Combination[] {
  let all: Record<string, unknown>[] = [{}];
  for (const factor of factorNames)
    all = all.flatMap(one => factors[factor].map(value => ({ ...one, [factor]: value })));
  return all as unknown as Combination[];
}

/** `Never, 1 earlier, 3 Pods, indexed, different grace, per-index, ttl 0, failed limit unset, Replace` */
export function nameOf(one: Combination): string {
  const { restartPolicy, earlier, parallelism, indexed, grace, policy, ttl, failedLimit, concurrency } = one;
  return [
    restartPolicy,
    `${earlier} earlier`,
    `${parallelism} Pods`,
    indexed ? 'indexed' : 'not indexed',
    `${grace} grace`,
    `policy ${policy}`,
    `ttl ${ttl}`,
    `failed limit ${failedLimit}`,
    concurrency,
  ].join(', ');
}
