// `resume`, the words: what a user may type to undo a stop. The decision is in plan/resume.ts.
import { usageError } from '../errors.ts';
import type { ResumeOptions } from '../model/options.ts';
import { type Command, readFlags, type Texts } from './command.ts';
import { everyVerb, readEveryVerb } from './every-verb.ts';
import { yesNo } from './flags.ts';
import { allOfKinds, readSourceWords } from './source-words.ts';

const own = {
  all: allOfKinds,
  'skip-missed': yesNo('runs that were missed meanwhile are not caught up', { group: 'Resuming' }),
  'run-now': yesNo('start one Job from the template of each CronJob, as kubectl create job --from does', {
    group: 'Resuming',
  }),
  'release-evidence': yesNo(
    'give stopped Jobs their limits back too, and with them what deletes finished Jobs',
    { group: 'Resuming' },
  ),
} as const;

export const resumeCommand: Command = {
  name: 'resume',
  words: '[TYPE NAME… | TYPE/NAME… | NAME | [TYPE] -l SELECTOR | TYPE --all]',
  about: 'give back exactly what stop has changed, and say what will run because of it',
  flags: { ...own, ...everyVerb },
  offers: 'stopped',
  examples: [
    ['resume', 'what is stopped in this namespace, by whom and why'],
    ['resume cronjob/sync', 'as it was before the stop; says which run starts at once, and asks'],
    ['resume cronjob/sync --skip-missed', 'the same, without the run that was missed'],
    ['resume cronjob/sync --run-now', 'and one run from the template'],
    ['resume job/sync-29367 --release-evidence', 'a stopped Job may be deleted again by its limits'],
  ],
  options: (words, texts) => Object.freeze(readResume(words, texts)),
};

function readResume(words: readonly string[], texts: Texts): ResumeOptions {
  const shared = readEveryVerb(texts);
  const values = readFlags(own, texts);
  const meant = readSourceWords(words, { ...shared, verb: 'resume', all: values.all });
  if (meant.by === 'nothing' && (values['skip-missed'] || values['run-now'] || values['release-evidence']))
    throw usageError('name what is to be resumed: resume cronjob/NAME');
  return {
    ...shared,
    verb: 'resume',
    words: meant,
    skipMissed: values['skip-missed'],
    runNow: values['run-now'],
    releaseEvidence: values['release-evidence'],
  };
}
