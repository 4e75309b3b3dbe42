// Flag groups that verbs share. The meaning is kubectl's wherever kubectl has the flag.
import type { Flag, FlagGroup, Offers } from './command.ts';
import { parseAge, parseBoolean, parseChoice, parseCount } from './parse.ts';

const last = (texts: readonly string[]): string | undefined => texts.at(-1);

interface Written {
  readonly group: FlagGroup;
  readonly letter?: string;
  readonly placeholder?: string;
  readonly offers?: Offers;
}

/** A flag with one value; given twice, the last one counts, as in kubectl. */
export function one<T>(
  about: string,
  written: Written,
  parse: (text: string, flag: string) => T,
): Flag<T | undefined> {
  return {
    about,
    ...written,
    takes: 'value',
    read: (texts, flag) => {
      const text = last(texts);
      return text === undefined ? undefined : parse(text, flag);
    },
  };
}

/** A flag that may be repeated. */
export function many(about: string, written: Written): Flag<string[]> {
  return { about, ...written, takes: 'value', repeats: true, read: texts => [...texts] };
}

export function yesNo(about: string, written: Written, standard = false): Flag<boolean> {
  return {
    about,
    ...written,
    takes: 'nothing',
    read: (texts, flag) => {
      const text = last(texts);
      return text === undefined ? standard : parseBoolean(text, flag);
    },
  };
}

export const text = (value: string): string => value;

export const age = (about: string, group: FlagGroup): Flag<number | undefined> =>
  one(about, { group, placeholder: 'AGE' }, parseAge);

export const count = (about: string, group: FlagGroup, least = 0): Flag<number | undefined> =>
  one(about, { group, placeholder: 'N' }, (value, flag) => parseCount(value, flag, least));

export const which = {
  'all-namespaces': yesNo('look into all namespaces', { group: 'What', letter: 'A' }),
  selector: one(
    'only objects that this label selector matches, for example app=web,tier!=cache',
    {
      group: 'What',
      letter: 'l',
      placeholder: 'SELECTOR',
    },
    text,
  ),
  'field-selector': one(
    'only objects that this field selector matches, for example metadata.name=x',
    {
      group: 'What',
      placeholder: 'SELECTOR',
    },
    text,
  ),
} as const;

const dryRuns = ['none', 'client', 'server'] as const;

export const safety = {
  'dry-run': {
    about:
      'show the plan and its digest, change nothing; with =server the API server is asked to check each write',
    group: 'Safety',
    takes: { alone: 'client' },
    placeholder: dryRuns.join('|'),
    offers: dryRuns,
    read: (texts: readonly string[], flag: string) => parseChoice(last(texts) ?? 'none', flag, dryRuns),
  },
  yes: yesNo('go ahead without a question', { group: 'Safety', letter: 'y' }),
  interactive: yesNo('choose from a list which objects the plan takes', { group: 'Safety', letter: 'i' }),
  max: count('refuse a plan of more than N objects', 'Safety'),
  confirm: one(
    'go on only if the plan is exactly the one that a dry run printed this digest for',
    {
      group: 'Safety',
      placeholder: 'DIGEST',
    },
    text,
  ),
  'include-protected': yesNo('take objects that carry a keep mark or live in a protected namespace', {
    group: 'Safety',
  }),
  concurrency: one(
    'how many writes are under way at once',
    { group: 'Safety', placeholder: 'N' },
    (value, flag) => parseCount(value, flag, 1),
  ),
} as const;

const outputOf = <const Form extends string>(forms: readonly Form[]) =>
  ({
    output: {
      about: 'how to print the result',
      group: 'Output',
      letter: 'o',
      takes: 'value',
      placeholder: forms.join('|'),
      offers: forms,
      read: (texts: readonly string[], flag: string) =>
        parseChoice(last(texts) ?? 'text', flag, ['text', ...forms]),
    },
  }) as const;

/** Of what happens, one after the other, there can be lines; of a picture there cannot. */
export const output = outputOf(['wide', 'name', 'json', 'jsonl', 'yaml']);
export const statusOutput = outputOf(['wide', 'name', 'json', 'yaml']);
