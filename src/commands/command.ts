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

/** What a value may be, for completion: one of these words, or what can be looked up. */
export type Offers =
  | readonly string[]
  | 'namespaces'
  | 'contexts'
  | 'clusters'
  | 'users'
  | 'files'
  | 'folders'
  /** TYPE/NAME of what makes Jobs. */
  | 'owners';

/** All that may stand behind `kubectl jobctl`: the verbs, and what only shows something. */
export interface Contents {
  readonly verbs: readonly Page[];
  readonly others: readonly Page[];
}

/** Which objects a verb is for: any, those that stay Terminating, what can be stopped, what has been. */
export type Objects = 'any' | 'stuck' | 'unfinished' | 'stopped';

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
  /** Absent: a text that nobody else can know. */
  readonly offers?: Offers;
  /** Given twice, both count. */
  readonly repeats?: boolean;
  readonly read: (texts: readonly string[], flag: string) => T;
}

// biome-ignore lint/suspicious/noExplicitAny: the value type of each flag is inferred where the flag is used
export type Flags = Readonly<Record<string, Flag<any>>>;

export type Values<F extends Flags> = { readonly [K in keyof F]: ReturnType<F[K]['read']> };

/** What help and completion know of a command. */
export interface Page {
  readonly name: string;
  /** `TYPE NAME…`: what may stand after the verb. */
  readonly words: string;
  readonly about: string;
  readonly flags: Flags;
  readonly examples: readonly (readonly [command: string, about: string])[];
  /** What completion offers behind its name: these words, or TYPE and NAME of such objects. */
  readonly offers: readonly string[] | Objects;
}

export interface Command extends Page {
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
