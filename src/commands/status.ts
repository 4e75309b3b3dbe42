// `status`, the words: what a user may type to see where Jobs stand. It changes nothing, so it has no flags for writing.
import { usageError } from '../errors.ts';
import type { StatusOptions } from '../model/options.ts';
import { type Command, readFlags, type Texts } from './command.ts';
import { connection } from './connection.ts';
import { toWhere } from './every-verb.ts';
import { statusOutput, which, yesNo } from './flags.ts';
import { reachOf } from './reach.ts';

const flags = {
  'all-namespaces': which['all-namespaces'],
  watch: yesNo('look again every two seconds until Ctrl-C; on a terminal', { group: 'Output', letter: 'w' }),
  ...statusOutput,
  ...connection,
} as const;

export const statusCommand: Command = {
  name: 'status',
  words: '',
  about: 'show what runs, finished, leaked, is stuck or stopped, each with the command that deals with it',
  flags,
  offers: [],
  examples: [
    ['status', 'CronJobs, Jobs, leaked Pods and stuck objects of this namespace; changes nothing'],
    ['status -A', 'a row for each namespace that needs something'],
    ['status -A -o wide', 'a row for every namespace, and all of their findings'],
    ['status -n batch --watch', 'the same picture, drawn anew while it changes'],
    ['status -A -o json', 'one document, for scripts'],
  ],
  options: (words, texts) => Object.freeze(readStatus(words, texts)),
};

function readStatus([word]: readonly string[], texts: Texts): StatusOptions {
  if (word !== undefined)
    throw usageError(`status: "${word}" is one word too many; it shows a namespace: status -n NAMESPACE`);
  const values = readFlags(flags, texts);
  const where = toWhere(values);
  if (values.watch && !['text', 'wide'].includes(values.output))
    throw usageError(`--watch draws for people, -o ${values.output} is for scripts; give one of them`);
  return {
    verb: 'status',
    ...where,
    output: values.output,
    watch: values.watch,
    reach: reachOf(texts),
  };
}
