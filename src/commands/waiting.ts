// How long a verb follows what it has begun.
import { given } from '../model/given.ts';
import type { Waiting } from '../model/options.ts';
import { readFlags, type Texts } from './command.ts';
import { one, yesNo } from './flags.ts';
import { parseDuration } from './parse.ts';

export const timeout = one(
  'how long to wait, 0 for no limit (default: five minutes, or more if a grace period is longer)',
  { group: 'Waiting', placeholder: 'DURATION' },
  parseDuration,
);

/** Of the verbs that make objects go away. */
export const waiting = {
  wait: yesNo('wait until the objects and their dependents are gone', { group: 'Waiting' }, true),
  timeout,
} as const;

export function readWaiting(texts: Texts): Waiting {
  const values = readFlags(waiting, texts);
  return { wait: values.wait, ...given({ timeoutMs: values.timeout }) };
}
