// `stop`, the words: what a user may type to end running work and keep its Jobs, Pods and logs. The decision is in plan/stop.ts.
import { usageError } from '../errors.ts';
import { given } from '../model/given.ts';
import type { StopOptions } from '../model/options.ts';
import { type Command, readFlags, type Texts } from './command.ts';
import { everyVerb, readEveryVerb } from './every-verb.ts';
import { one, text, yesNo } from './flags.ts';
import { allOfKinds, readSourceWords } from './source-words.ts';
import { timeout } from './waiting.ts';

const own = {
  all: allOfKinds,
  reason: one(
    'why, for whoever looks at it later: it is written on every object that is changed',
    { group: 'Stopping', placeholder: 'TEXT' },
    text,
  ),
  'suspend-only': yesNo('make no new Jobs, let what runs go on', { group: 'Stopping' }),
  save: one(
    'where manifests, events and logs are saved, before the first write and at the end (default: a new folder here)',
    { group: 'Stopping', placeholder: 'DIR', offers: 'folders' },
    text,
  ),
  'no-save': yesNo('save nothing', { group: 'Stopping' }),
  'ignore-save-errors': yesNo('go on when something cannot be saved', { group: 'Stopping' }),
  wait: yesNo(
    'always: what is ended has to be followed, so that nothing is started again',
    { group: 'Waiting' },
    true,
  ),
  timeout,
} as const;

export const stopCommand: Command = {
  name: 'stop',
  words: '(TYPE NAME… | TYPE/NAME… | NAME | [TYPE] -l SELECTOR | TYPE --all)',
  about:
    'end running work gracefully and start nothing new; every Job, Pod and log stays, and resume undoes it',
  flags: { ...own, ...everyVerb },
  offers: 'unfinished',
  examples: [
    ['stop cronjob/sync --reason INC-1234', 'no new Jobs, and the running ones end; asks first'],
    ['stop cronjob/sync --dry-run', 'what would be written on which object, and what cannot be promised'],
    ['stop job/import', 'one Job, and the CronJob that would start it again'],
    ['stop -l team=billing -A', 'CronJobs, ScaledJobs and Jobs by label, in all namespaces'],
    ['stop cronjob/sync --suspend-only', 'no new Jobs; what runs goes on'],
  ],
  options: (words, texts) => Object.freeze(readStop(words, texts)),
};

function readStop(words: readonly string[], texts: Texts): StopOptions {
  const shared = readEveryVerb(texts);
  const values = readFlags(own, texts);
  if (!values.wait)
    throw usageError(
      'stop has to follow what it ends, so that nothing is started again: --wait=false is not possible',
      'Use --suspend-only to make no new Jobs and wait for nothing, or --timeout to wait no longer than that.',
    );
  if (values['no-save'] && values.save !== undefined)
    throw usageError('--save and --no-save exclude each other; give one of them');
  return {
    ...shared,
    verb: 'stop',
    words: readSourceWords(words, { ...shared, verb: 'stop', all: values.all }),
    suspendOnly: values['suspend-only'],
    noSave: values['no-save'],
    ignoreSaveErrors: values['ignore-save-errors'],
    ...given({ reason: values.reason, saveDir: values.save, timeoutMs: values.timeout }),
  };
}
