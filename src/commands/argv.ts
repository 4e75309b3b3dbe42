// Makes the ways in which pflag lets flags be written (-lapp=web, -yA, --wait, --dry-run) into one: --name=text.
// kubectl users write them all; yargs alone reads -lapp=web as -l -a -p -p and takes the word behind --wait as its value.
import { usageError } from '../errors.ts';
import type { Flag, Flags } from './command.ts';

export function normalizeArgv(argv: readonly string[], flags: Flags): string[] {
  const letters = new Map(
    Object.entries(flags).flatMap(([name, flag]) => (flag.letter ? [[flag.letter, name]] : [])),
  );
  const rest = [...argv];
  const out: string[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return [...out, '--', ...rest];
    if (word === '-h') out.push('--help');
    else if (word.startsWith('--')) out.push(longFlag(word, flags, rest));
    else if (word.startsWith('-') && word !== '-') out.push(...shortFlags(word, letters, flags, rest));
    else out.push(word);
  }
  return out;
}

function longFlag(word: string, flags: Flags, rest: string[]): string {
  const name = word.slice(2);
  if (word.endsWith('=') && word.indexOf('=') === word.length - 1) throw emptyValue(word.slice(0, -1));
  const flag = flags[name];
  if (word.includes('=') || flag === undefined) return word;
  return `--${name}=${textOf(flag, word, rest)}`;
}

function shortFlags(word: string, letters: Map<string, string>, flags: Flags, rest: string[]): string[] {
  const out: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? '';
    const name = letters.get(letter);
    const flag = name === undefined ? undefined : flags[name];
    if (name === undefined || flag === undefined)
      throw usageError(`unknown shorthand flag: '${letter}' in ${word}`);
    const tail = word.slice(at + 1);
    if (tail === '=') throw emptyValue(`-${letter}`);
    if (tail.startsWith('=')) return [...out, `--${name}=${tail.slice(1)}`];
    if (flag.takes === 'value' && tail !== '') return [...out, `--${name}=${tail}`];
    out.push(`--${name}=${textOf(flag, `-${letter}`, rest)}`);
  }
  return out;
}

// biome-ignore lint/suspicious/noExplicitAny: only how the flag is written matters here
function textOf(flag: Flag<any>, word: string, rest: string[]): string {
  if (flag.takes === 'nothing') return 'true';
  if (flag.takes !== 'value') {
    const follows = flag.takes.next?.test(rest[0] ?? '') ?? false;
    return follows ? (rest.shift() ?? '') : flag.takes.alone;
  }
  const value = rest.shift();
  if (value === undefined) throw usageError(`flag needs an argument: ${word}`);
  if (value === '') throw emptyValue(word);
  return value;
}

/** An empty namespace would mean all of them to a list, an empty selector everything: neither is what an unset variable meant. */
const emptyValue = (word: string) => usageError(`${word} needs a value, not an empty one`);
