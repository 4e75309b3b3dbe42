// `prune`, the words: what a user may type to remove finished Jobs beyond retention, and Pods leaked by Jobs that are gone.
// The decisions are in plan/prune-jobs.ts and plan/prune-pods.ts.

import { usageError } from '../errors.ts';
import { given } from '../model/given.ts';
import type { PruneJobsOptions, PrunePodsOptions } from '../model/options.ts';
import { type Command, type Flags, readFlags, type Texts } from './command.ts';
import { everyVerb, readEveryVerb } from './every-verb.ts';
import { age, count, many, one, text, yesNo } from './flags.ts';
import { parseShard, parseTypeAndName } from './parse.ts';
import { readWaiting, waiting } from './waiting.ts';

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
    'keep what ended less than AGE ago; of Jobs both this and the counts must let one go',
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
    { ...retention, placeholder: 'TYPE/NAME', offers: 'owners' },
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

const ofPods = {
  'older-than': own['older-than'],
  'include-running': yesNo('prune pods: end Pods that still run too, with their grace period', {
    group: 'Leaked Pods',
  }),
} as const;

export const pruneCommand: Command = {
  name: 'prune',
  words: '[jobs | pods]',
  about: 'delete finished Jobs beyond retention, each with its Pods; or Pods leaked by Jobs that are gone',
  flags: { ...own, ...ofPods, ...waiting, ...everyVerb },
  offers: ['jobs', 'pods'],
  examples: [
    ['prune', "Jobs beyond their CronJob's or ScaledJob's own history limits; asks first"],
    ['prune -A --keep-succeeded 3 --keep-failed 1 --dry-run', 'every namespace, show only'],
    ['prune --keep-succeeded 0 --keep-failed 0 --older-than 7d -y', 'by age alone'],
    ['prune --standalone --older-than 1d', 'Jobs without an owner'],
    ['prune pods', 'finished Pods whose Jobs are gone, and that nothing else holds'],
    ['prune pods -A --older-than 1h --dry-run', 'of every namespace, show only'],
    ['prune --owner cronjob/nightly --confirm 7f3a91c4', 'exactly what a dry run showed'],
  ],
  options: (words, texts) => {
    const [what = 'jobs', more] = words;
    if (more === undefined && jobWords.has(what)) return Object.freeze(readPruneJobs(texts));
    if (more === undefined && podWords.has(what)) return Object.freeze(readPrunePods(texts));
    throw usageError(`prune: "${more ?? what}" cannot be pruned; write prune jobs or prune pods`);
  },
};

const jobWords: ReadonlySet<string> = new Set(['jobs', 'job', 'job.batch', 'jobs.batch']);
const podWords: ReadonlySet<string> = new Set(['pods', 'pod', 'po']);

function readPrunePods(texts: Texts): PrunePodsOptions {
  refuseFlags(texts, own, ofPods, 'prune pods');
  const values = readFlags(ofPods, texts);
  return {
    ...readEveryVerb(texts),
    ...readWaiting(texts),
    verb: 'prune pods',
    includeRunning: values['include-running'],
    ...given({ olderThanMs: values['older-than'] }),
  };
}

/** Flags of the other half of this verb would be taken and do nothing. */
function refuseFlags(texts: Texts, others: Flags, ours: Flags, what: string): void {
  const wrong = Object.keys(others).find(name => texts[name] !== undefined && !(name in ours));
  if (wrong !== undefined) throw usageError(`--${wrong} has no meaning for ${what}`);
}

function readPruneJobs(texts: Texts): PruneJobsOptions {
  refuseFlags(texts, ofPods, own, 'prune jobs');
  const values = readFlags(own, texts);
  if (values.standalone && values.owner !== undefined) {
    throw usageError('--standalone and --owner exclude each other; give one of them');
  }
  const succeededOlderThanMs = values['succeeded-older-than'] ?? values['older-than'];
  const failedOlderThanMs = values['failed-older-than'] ?? values['older-than'];
  const neverStartedOlderThanMs = values['never-started-older-than'];
  return {
    ...readEveryVerb(texts),
    ...readWaiting(texts),
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
