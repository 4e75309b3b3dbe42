// Text to value, once, at the edge. The complaint shows the wrong text and a right one.
import { usageError } from '../errors.ts';
import type { PropagationPolicy } from '../model/delete-action.ts';

const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
type Unit = keyof typeof unitMs;

/** `90m`, `12h`, `7d`, `1h30m`, `2w` → milliseconds. */
export function parseAge(text: string, flag: string): number {
  const ms = toMs(text);
  if (ms === undefined) throw usageError(`${flag}: "${text}" is not an age; write 90m, 12h or 7d`);
  return ms;
}

/** kubectl's durations: `20s`, `1m30s`; a bare number is seconds. 0 means no limit. */
export function parseDuration(text: string, flag: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : toMs(text);
  if (ms === undefined)
    throw usageError(`${flag}: "${text}" is not a duration; write 20s, 1m30s or 0 for no limit`);
  return ms;
}

function toMs(text: string): number | undefined {
  if (!/^(\d+(w|d|h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+)(w|d|h|ms|m|s)/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit as Unit], 0);
}

export function parseCount(text: string, flag: string, least = 0): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    throw usageError(
      `${flag}: "${text}" is not a whole number of at least ${least}; write ${flag} ${Math.max(least, 3)}`,
    );
  }
  return Number(text);
}

export function parseBoolean(text: string, flag: string): boolean {
  if (['true', 't', '1', 'TRUE', 'True', 'T'].includes(text)) return true;
  if (['false', 'f', '0', 'FALSE', 'False', 'F'].includes(text)) return false;
  throw usageError(`${flag}: "${text}" is neither true nor false; write ${flag} or ${flag}=false`);
}

/** One of a few words. Case does not matter: the words are ours, not the wire's. */
export function parseChoice<T extends string>(text: string, flag: string, choices: readonly T[]): T {
  const choice = choices.find(candidate => candidate === text.toLowerCase());
  if (choice === undefined) throw usageError(`${flag}: "${text}" is not one of ${choices.join(', ')}`);
  return choice;
}

export const propagationWords = ['background', 'foreground', 'orphan'] as const;
const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** The server's policy names are case-sensitive (422 else); a user's spelling is not. */
export function parsePropagation(text: string, flag: string): PropagationPolicy {
  return policies[parseChoice(text, flag, propagationWords)];
}

/** `TYPE/NAME` */
export function parseTypeAndName(text: string, flag: string): { type: string; name: string } {
  const [type, name, more] = text.split('/');
  if (!type || !name || more !== undefined) {
    throw usageError(`${flag}: "${text}" is not TYPE/NAME; write cronjob/nightly`);
  }
  return { type, name };
}

/** Names as kubectl takes them: `TYPE NAME…` (also several types), or `TYPE/NAME…` without any other word. */
export function parseNamed(words: readonly string[], verb: string): { type: string; name: string }[] {
  if (words.some(word => word.includes('/'))) {
    if (!words.every(word => word.includes('/'))) {
      throw usageError(
        'there is no need to specify a resource type as a separate argument when passing arguments in TYPE/NAME form',
      );
    }
    return words.map(word => parseTypeAndName(word, verb));
  }
  const [types = '', ...names] = words;
  return types.split(',').flatMap(type => names.map(name => ({ type, name })));
}

/** `I/N` with 0 ≤ I < N */
export function parseShard(text: string, flag: string): { index: number; of: number } {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (index === undefined || of === undefined || Number(index) >= Number(of)) {
    throw usageError(`${flag}: "${text}" is not I/N with I from 0 to N-1; write 0/4`);
  }
  return { index: Number(index), of: Number(of) };
}
