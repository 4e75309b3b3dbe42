// What a command is: words, flags, examples, and how its texts become options. Yargs only ever sees text.
import type { Options } from '../model/options.ts';

/** In the order in which help shows them. */
export const flagGroups = [
  'What',
  'Retention',
  'Leaked Pods',
  'Stopping',
  'Resuming',
  'Safety',
  'Waiting',
  'Output',
  'Connection',
] as const;

export type FlagGroup = (typeof flagGroups)[number];

/** How one flag is written, and how its texts become a value. `read` gets every text given, in order; none means not given. */
export interface Flag<T> {
  readonly about: string;
  readonly group: FlagGroup;
  readonly letter?: string;
  /**
   * `value`: needs one. `nothing`: true when given, `=true` and `=false` are understood.
   * An object: optional; `alone` is what the flag alone means, and a next word like `next` is its value all the same.
   */
  readonly takes: 'value' | 'nothing' | { readonly alone: string; readonly next?: RegExp };
  /** The word for the value in help: `--older-than AGE`. */
  readonly placeholder?: string;
  readonly read: (texts: readonly string[], flag: string) => T;
}

// biome-ignore lint/suspicious/noExplicitAny: the value type of each flag is inferred where the flag is used
export type Flags = Readonly<Record<string, Flag<any>>>;

export type Values<F extends Flags> = { readonly [K in keyof F]: ReturnType<F[K]['read']> };

export interface Command {
  readonly name: string;
  /** `TYPE NAME…`: what may stand after the verb. */
  readonly words: string;
  readonly about: string;
  readonly flags: Flags;
  readonly examples: readonly (readonly [command: string, about: string])[];
  /** Throws a usage error that shows the wrong text and a right one. */
  readonly options: (words: readonly string[], texts: Texts) => Options;
}

export type Texts = Readonly<Record<string, readonly string[]>>;

/** Reads every flag of a group at once. */
export function readFlags<F extends Flags>(flags: F, texts: Texts): Values<F> {
  const values = Object.entries(flags).map(([name, flag]) => [
    name,
    flag.read(texts[name] ?? [], `--${name}`),
  ]);
  return Object.fromEntries(values) as Values<F>;
}
