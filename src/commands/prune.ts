// `prune jobs`, the words: what a user may type to remove finished Jobs beyond retention. The decision is in plan/prune-jobs.ts.

import { usageError } from '../errors.ts';
import { given } from '../model/given.ts';
import type { PruneJobsOptions } from '../model/options.ts';
import { type Command, readFlags, type Texts } from './command.ts';
import { everyVerb, readEveryVerb } from './every-verb.ts';
import { age, count, many, one, text, yesNo } from './flags.ts';
import { parseShard, parseTypeAndName } from './parse.ts';

const retention = { group: 'Retention' } as const;

const own = {
  'keep-succeeded': count(
    "keep the newest N succeeded Jobs of each owner, instead of the owner's own limit",
    'Retention',
  ),
  'keep-failed': count(
    "keep the newest N failed Jobs of each owner, instead of the owner's own limit",
    'Retention',
  ),
  'older-than': age(
    'keep Jobs that ended less than AGE ago; both this and the counts must let a Job go',
    'Retention',
  ),
  'succeeded-older-than': age('the same for succeeded Jobs only', 'Retention'),
  'failed-older-than': age('the same for failed Jobs only', 'Retention'),
  'never-started-older-than': age(
    'also take Jobs made more than AGE ago that never started a Pod',
    'Retention',
  ),
  owner: one(
    'only Jobs of this owner, of whatever kind',
    { ...retention, placeholder: 'TYPE/NAME' },
    parseTypeAndName,
  ),
  standalone: yesNo('only Jobs without an owner', retention),
  'group-by': one(
    'count stand-alone Jobs by the value of this label',
    { ...retention, placeholder: 'LABEL' },
    text,
  ),
  reason: many('only Jobs that failed for this reason, for example BackoffLimitExceeded; may be repeated', {
    ...retention,
    placeholder: 'REASON',
  }),
  'include-hooks': yesNo('take Helm and Argo CD hook Jobs too', retention),
  'skip-manual': yesNo(
    'leave out Jobs that were made by hand from a CronJob: neither counted nor deleted',
    retention,
  ),
  shard: one('only the I-th of N parts, divided by owner', { ...retention, placeholder: 'I/N' }, parseShard),
} as const;

export const pruneCommand: Command = {
  name: 'prune',
  words: '[jobs]',
  about: 'delete finished Jobs beyond retention, each with its Pods',
  flags: { ...own, ...everyVerb },
  examples: [
    ['prune', "Jobs beyond their CronJob's or ScaledJob's own history limits; asks first"],
    ['prune -A --keep-succeeded 3 --keep-failed 1 --dry-run', 'every namespace, show only'],
    ['prune --keep-succeeded 0 --keep-failed 0 --older-than 7d -y', 'by age alone'],
    ['prune --standalone --older-than 1d', 'Jobs without an owner'],
    ['prune --owner cronjob/nightly --confirm 7f3a91c4', 'exactly what a dry run showed'],
  ],
  options: (words, texts) => Object.freeze(readPrune(words, texts)),
};

function readPrune(words: readonly string[], texts: Texts): PruneJobsOptions {
  const [what, more] = words;
  if (
    more !== undefined ||
    (what !== undefined && !['jobs', 'job', 'job.batch', 'jobs.batch'].includes(what))
  ) {
    throw usageError(`prune: "${more ?? what}" cannot be pruned; write prune jobs`);
  }
  const values = readFlags(own, texts);
  if (values.standalone && values.owner !== undefined) {
    throw usageError('--standalone and --owner exclude each other; give one of them');
  }
  const succeededOlderThanMs = values['succeeded-older-than'] ?? values['older-than'];
  const failedOlderThanMs = values['failed-older-than'] ?? values['older-than'];
  const neverStartedOlderThanMs = values['never-started-older-than'];
  return {
    ...readEveryVerb(texts),
    verb: 'prune jobs',
    standalone: values.standalone,
    reasons: values.reason,
    includeHooks: values['include-hooks'],
    skipManual: values['skip-manual'],
    ...given({
      keepSucceeded: values['keep-succeeded'],
      keepFailed: values['keep-failed'],
      succeededOlderThanMs,
      failedOlderThanMs,
      neverStartedOlderThanMs,
      owner: values.owner,
      groupBy: values['group-by'],
      shard: values.shard,
    }),
  };
}
