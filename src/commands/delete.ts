// `delete`, the words: what a user may type to remove named or selected objects. The decision is in plan/delete.ts.

import { usageError } from '../errors.ts';
import { given } from '../model/given.ts';
import type { DeleteOptions, TargetWords } from '../model/options.ts';
import { type Command, readFlags, type Texts } from './command.ts';
import { everyVerb, readEveryVerb } from './every-verb.ts';
import { many, one, yesNo } from './flags.ts';
import { parseCount, parseNamed, parsePropagation, propagationWords } from './parse.ts';
import { readWaiting, waiting } from './waiting.ts';

const own = {
  cascade: one(
    'what happens to the dependents (default: background)',
    {
      group: 'What',
      placeholder: propagationWords.join('|'),
      offers: propagationWords,
    },
    parsePropagation,
  ),
  all: yesNo('every object of the TYPE in the namespace', { group: 'What' }),
  filename: many('a file, a folder, or - for standard input, with the objects to delete; may be repeated', {
    group: 'What',
    letter: 'f',
    placeholder: 'FILE',
    offers: 'files',
  }),
  recursive: yesNo('go into the folders below the ones given by -f', { group: 'What', letter: 'R' }),
  'ignore-not-found': yesNo('an object that is not there is not an error', { group: 'What' }),
  'grace-period': one(
    'seconds for the named objects themselves to end, instead of their own grace period',
    {
      group: 'What',
      placeholder: 'SECONDS',
    },
    readGrace,
  ),
  now: yesNo('the same as --grace-period=1', { group: 'What' }),
  force: yesNo('with --grace-period=0: take a Pod out of the API at once; its containers may still run', {
    group: 'What',
  }),
} as const;

const flags = { ...own, ...waiting, ...everyVerb } as const;

export const deleteCommand: Command = {
  name: 'delete',
  words: '[TYPE NAME… | TYPE/NAME… | TYPE -l SELECTOR | TYPE --all | -f FILE]',
  about: 'delete objects and everything that belongs to them, and wait until all of it is gone',
  flags,
  offers: 'any',
  examples: [
    ['delete report', 'the Job "report" with its Pods; asks first'],
    ['delete cronjob/nightly --dry-run', 'show what would go with it, change nothing'],
    ['delete jobs -l app=import -y --timeout 2m', 'without a question, at most two minutes'],
    ['delete job/etl --cascade=orphan', 'leave its Pods, to read their logs'],
    ['delete -f job.yaml', 'what a manifest names'],
  ],
  options: (words, texts) => Object.freeze(readDelete(words, texts)),
};

function readDelete(words: readonly string[], texts: Texts): DeleteOptions {
  const shared = { ...readEveryVerb(texts), ...readWaiting(texts) };
  const values = readFlags(own, texts);
  const grace = values.now ? 1 : values['grace-period'];
  if (values.now && values['grace-period'] !== undefined) {
    throw usageError('--now and --grace-period exclude each other; give one of them');
  }
  if (grace === 0 && !values.force) {
    throw usageError(
      '--grace-period=0 takes Pods out of the API while their containers may still run; add --force if that is meant',
    );
  }
  if (values.force && grace !== undefined && grace > 0) {
    throw usageError('--force goes with --grace-period=0 only');
  }
  const graceSeconds = values.force ? 0 : grace;
  const selecting = shared.selector !== undefined || shared.fieldSelector !== undefined || values.all;
  const targets = readTargets(words, {
    selecting,
    all: values.all,
    files: values.filename,
    recursive: values.recursive,
  });
  if (targets.by !== 'selection' && shared.allNamespaces) {
    throw usageError(
      'a resource cannot be retrieved by name across all namespaces; name the namespace with -n',
    );
  }
  return {
    ...shared,
    verb: 'delete',
    words: targets,
    propagation: values.cascade ?? 'Background',
    force: values.force,
    ignoreNotFound: values['ignore-not-found'],
    ...given({ graceSeconds }),
  };
}

interface Selecting {
  readonly selecting: boolean;
  readonly all: boolean;
  readonly files: readonly string[];
  readonly recursive: boolean;
}

function readTargets(words: readonly string[], how: Selecting): TargetWords {
  const [first, ...names] = words;
  if (how.files.length > 0) {
    if (first !== undefined)
      throw usageError('when -f names the objects, no TYPE or NAME may be given as well');
    return { by: 'files', files: how.files, recursive: how.recursive };
  }
  if (first === undefined) {
    throw usageError('name what to delete: TYPE NAME, TYPE/NAME, TYPE -l SELECTOR, TYPE --all, or -f FILE');
  }
  const isSlashed = words.some(word => word.includes('/'));
  if (how.selecting) {
    if (isSlashed || names.length > 0)
      throw usageError('name cannot be provided when a selector or --all is specified');
    return { by: 'selection', types: first.split(','), all: how.all };
  }
  if (!isSlashed && names.length === 0) return { by: 'bare-name', word: first };
  return { by: 'name', targets: parseNamed(words, 'delete') };
}

/** kubectl's default of -1 means the object's own. */
function readGrace(value: string, flag: string): number | undefined {
  return value === '-1' ? undefined : parseCount(value, flag);
}
