// What people read of `resume`: the preview, the forecast in sentences, a line for each object, and the last line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../src/model/event.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { ResumePlan } from '../../../src/model/plan.ts';
import type { AtOnceCode, CaveatCode, UnforeseenCode } from '../../../src/model/schedule.ts';
import type { NoteCode } from '../../../src/model/why.ts';
import { outOfReach } from '../../../src/model/working-job.ts';
import { planResume } from '../../../src/plan/resume.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import { Counting, exitCodeOf } from '../../../src/report/counting.ts';
import { typedFor } from '../../../src/report/next-command.ts';
import { questionOf } from '../../../src/report/question.ts';
import { resumePreview } from '../../../src/report/resume-preview.ts';
import { notes } from '../../../src/report/words.ts';
import { failed, ownedBy } from '../nouns.ts';
import { aStoppedSource, remembering, resumeOptions, resumeSnapshot } from '../resume-nouns.ts';
import { aWorkingJob } from '../stop-nouns.ts';

const source = aStoppedSource('sync');
const kept = aWorkingJob('sync-1', {
  owners: ownedBy(source),
  state: failed('2h'),
  limits: { backoffLimit: outOfReach },
  remembered: remembering(['/spec/backoffLimit', 6, outOfReach]),
});
type Options = Parameters<typeof resumeOptions>[0];
const planned = (options: Options = {}, seen: Parameters<typeof resumeSnapshot>[0] = {}): ResumePlan =>
  planResume(resumeSnapshot({ sources: [source], jobs: [kept], ...seen }), resumeOptions(options));
const plan = planned();

function lines(event: Event, of: ResumePlan = plan): string {
  const renderer = rendererFor({ form: 'text', asks: false });
  renderer.on({ type: 'plan', plan: of });
  const { out = [], err = [] } = renderer.on(event);
  return [...out, ...err].join('\n');
}

const actionOf = (of: ResumePlan, does: string) =>
  of.actions.find(action => action.does === does) ?? assert.fail(`nothing does ${does}`);
const whole = planned({ skipMissed: true, runNow: true, releaseEvidence: true });
const server = planned({ dryRun: 'server' });
const forbidden = { code: 'forbidden', text: 'Error from server (Forbidden): no' } as const;
const giveBack = actionOf(plan, 'give-back');

// --- while it runs ----------------------------------------------------------------------------------------------------------------

const rows: readonly [string, Event, RegExp | string, ResumePlan?][] = [
  [
    'a CronJob is as before',
    { type: 'changed', action: giveBack, state: 'done' },
    'cronjob.batch/sync resumed: suspend true → false · failedJobsHistoryLimit out of reach → 1 · successfulJobsHistoryLimit out of reach → 3',
  ],
  [
    'the server would accept it',
    { type: 'changed', action: giveBack, state: 'dry-run' },
    /^cronjob\.batch\/sync resumed: .*\(server dry run\)$/,
    server,
  ],
  [
    'it went meanwhile',
    { type: 'changed', action: giveBack, state: 'already-gone' },
    'cronjob.batch/sync was already gone',
  ],
  [
    'missed runs are skipped',
    { type: 'changed', action: actionOf(whole, 'skip-missed'), state: 'done' },
    'cronjob.batch/sync missed runs are counted as served',
  ],
  [
    'a Job is started',
    { type: 'changed', action: actionOf(whole, 'run-now'), state: 'done' },
    /^job\.batch\/sync-resumed-\w+ created from cronjob\.batch\/sync$/,
  ],
  [
    'a stopped Job is released',
    { type: 'changed', action: actionOf(whole, 'release-evidence'), state: 'done' },
    'job.batch/sync-1 released: backoffLimit out of reach → 6',
  ],
  [
    'a write is refused',
    { type: 'not-changed', action: giveBack, problem: forbidden, blame: [] },
    'error: cronjob.batch/sync not resumed: Error from server (Forbidden): no',
  ],
  [
    'a write was not answered: whether it had its effect is not known',
    { type: 'not-changed', action: giveBack, problem: { code: 'timeout', text: 'no answer' }, blame: [] },
    'error: cronjob.batch/sync may not be resumed, no clear answer came: no answer',
  ],
  [
    'S08: somebody suspends it again',
    { type: 'put-back', target: source.ref },
    'error: cronjob.batch/sync is suspended again: somebody put it back after us',
  ],
  [
    'it is interrupted',
    { type: 'interrupted', notStarted: [source.ref], left: [] },
    'interrupted: 1 object not resumed',
  ],
];
for (const [what, event, expected, of] of rows)
  test(`told when ${what}`, () => {
    if (typeof expected === 'string') assert.equal(lines(event, of), expected);
    else assert.match(lines(event, of), expected);
  });

function ended(of: ResumePlan, ...events: Event[]): { last: string; code: number } {
  const renderer = rendererFor({ form: 'text', asks: false });
  const counting = new Counting();
  for (const event of [{ type: 'plan', plan: of } as const, ...events]) {
    counting.add(event);
    renderer.on(event);
  }
  const code = exitCodeOf(counting.tally);
  const { err = [], out = [] } = renderer.end(counting.tally, code);
  return { last: [...err, ...out].join('\n'), code };
}
const end: Event = { type: 'end', ms: 1200, throttled: 0 };

test('the last line says how many writes there were, and whether all of it is resumed', () => {
  const done = ended(plan, { type: 'changed', action: giveBack, state: 'done' }, end);
  assert.deepEqual(done, { last: 'resumed: 1 write, 0 failed (1.2s)', code: 0 });
  const refused = ended(plan, { type: 'not-changed', action: giveBack, problem: forbidden, blame: [] }, end);
  assert.deepEqual([refused.last, refused.code], ['not all is resumed: 0 writes, 1 failed (1.2s)', 2]);
  const again = ended(
    plan,
    { type: 'changed', action: giveBack, state: 'done' },
    { type: 'put-back', target: source.ref },
    end,
  );
  assert.match(again.last, /^not all is resumed: 1 write, 1 failed/);
  assert.notEqual(again.code, 0);
  const asked = ended(server, { type: 'changed', action: giveBack, state: 'dry-run' }, end);
  assert.match(asked.last, /1 write would be accepted \(server dry run\)/);
});

// --- before it --------------------------------------------------------------------------------------------------------------------

test('the preview says each field from what to what, what stays, by whom it was stopped, and what will happen', () => {
  const text = resumePreview(plan, false).join('\n');
  assert.match(
    text,
    /^cronjob\.batch\/sync +suspend true → false · failedJobsHistoryLimit out of reach → 1 .* +\(by anna 3h ago, INC-1234\)$/m,
  );
  assert.match(
    text,
    /^job\.batch\/sync-1 +stays as it is, kept from being deleted .*\(by anna 3h ago, INC-1234\)$/m,
  );
  assert.match(text, /^1 CronJob will be resumed\.$/m);
  assert.match(text, /^1 stopped Job stays as it is: it has failed and cannot go on\./m);
});

test('the list of what is stopped is the answer itself, on standard output', () => {
  const listed = planned({ words: { by: 'nothing' } });
  const renderer = rendererFor({ form: 'text', asks: false });
  const { out = [], err = [] } = renderer.on({ type: 'plan', plan: listed });
  assert.deepEqual(err, []);
  assert.match(out.join('\n'), /^cronjob\.batch\/sync +stopped +\(by anna 3h ago, INC-1234\)$/m);
  assert.match(out.join('\n'), /^2 objects are stopped\. Resume one: kubectl jobctl resume TYPE\/NAME$/m);
  const empty = planned({ words: { by: 'nothing' } }, { sources: [], jobs: [] });
  assert.match(resumePreview(empty, false).join('\n'), /^Nothing is stopped here\.$/m);
});

test('S20: without a memory the question says what is not known', () => {
  const forgotten = planned(
    {},
    { sources: [aStoppedSource('sync', { remembered: { state: 'none' } })], jobs: [] },
  );
  assert.match(
    questionOf(forgotten),
    /^Resume 1 CronJob in namespace batch of prod\? \(nothing remembers how it was before: it may have been suspended on purpose\)$/,
  );
  assert.equal(
    questionOf(planned({ runNow: true })),
    'Resume 1 CronJob and 1 new Job in namespace batch of prod?',
  );
});

test('a name with escape sequences does not reach the terminal', () => {
  const nasty = aStoppedSource('sync', { remembered: remembering(['/spec/sus\u001b[31mpend', false, true]) });
  const text = resumePreview(planned({}, { sources: [nasty], jobs: [] }), false).join('\n');
  assert.ok(!text.includes('\u001b'), JSON.stringify(text));
});

// --- the forecast, in sentences ---------------------------------------------------------------------------------------------------

const at = Date.UTC(2026, 2, 1, 2, 15);
const say = (code: NoteCode, facts: Facts): string =>
  notes[code]({ object: 'cronjob.batch/sync', ...facts }, typedFor({ reach: [] }));

const sentences: readonly [NoteCode, Facts, string][] = [
  [
    'missed-runs',
    { count: 1, more: '', first: at, last: at, zone: '' },
    'cronjob.batch/sync: 1 run was missed (2026-03-01 02:15 UTC).',
  ],
  [
    'missed-runs',
    { count: 3, more: '', first: at, last: at + 7_200_000, zone: 'Europe/Berlin' },
    'cronjob.batch/sync: 3 runs were missed (2026-03-01 03:15 Europe/Berlin … 2026-03-01 05:15 Europe/Berlin).',
  ],
  [
    'missed-runs',
    { count: 1000, more: 'yes', first: at, last: at, zone: '' },
    'cronjob.batch/sync: more than 1000 runs were missed (2026-03-01 02:15 UTC … 2026-03-01 02:15 UTC).',
  ],
  ['next-run', { at, zone: '' }, 'cronjob.batch/sync: the next regular run is at 2026-03-01 02:15 UTC.'],
  ['stays-suspended', {}, 'cronjob.batch/sync was suspended before the stop, and stays suspended.'],
  [
    'not-given-back',
    { path: '/spec/failedJobsHistoryLimit', now: '7' },
    'cronjob.batch/sync: failedJobsHistoryLimit is 7 now, which is not what the stop has set: somebody has changed it since, and it stays.',
  ],
  [
    'stopped-jobs-stay',
    { count: 2 },
    '2 stopped Jobs stay as they are: they have failed and cannot go on. --run-now starts a new Job; --release-evidence gives back the limits of the stopped ones.',
  ],
  [
    'history-deletes',
    { by: 'the controller', outcome: 'failed', limit: 1, count: 1, names: 'job.batch/a', stopped: 1 },
    'cronjob.batch/sync: failedJobsHistoryLimit 1 lets the controller delete 1 failed Job with its Pods: job.batch/a (1 kept by the stop among them).',
  ],
  [
    'history-deletes',
    { by: 'the controller', outcome: 'complete', limit: 0, count: 7, names: 'job.batch/a', stopped: 0 },
    'cronjob.batch/sync: successfulJobsHistoryLimit 0 lets the controller delete 7 successful Jobs with their Pods: job.batch/a ….',
  ],
  [
    'history-deletes',
    { by: 'KEDA', outcome: 'failed', limit: 1, count: 2, names: '', stopped: 0 },
    'cronjob.batch/sync: failedJobsHistoryLimit 1 lets KEDA delete 2 failed Jobs with their Pods, and which ones cannot be said.',
  ],
];
for (const [code, facts, expected] of sentences)
  test(`said as: ${expected}`, () => assert.equal(say(code, facts), expected));

const because: Record<AtOnceCode, RegExp> = {
  'a-run-was-missed': /nothing starts at once\.$/,
  'none-missed': /nothing starts at once, no run was missed\.$/,
  'deadline-passed': /startingDeadlineSeconds has passed for what was missed\.$/,
  'missed-too-long-ago': /what was missed lies too far back\.$/,
  'no-such-time': /its schedule names no time that exists\.$/,
  'forbid-and-active': /nothing starts at once\.$/,
  'replace-and-active': /nothing starts at once\.$/,
};
for (const [code, expected] of Object.entries(because))
  test(`nothing starts because of ${code}`, () =>
    assert.match(say('at-once', { does: 'nothing', because: code, for: 0, zone: '' }), expected));

const deeds: readonly [string, RegExp][] = [
  [
    'starts-a-run',
    /the run of 2026-03-01 02:15 UTC starts at once when this is applied; --skip-missed prevents it\.$/,
  ],
  [
    'starts-when-the-active-one-has-ended',
    /starts as soon as the active one has ended \(Forbid\); --skip-missed/,
  ],
  [
    'replaces-the-active-one',
    /starts at once, and the Job that is active now is deleted with its Pods \(Replace\)/,
  ],
  ['skipped', /the run of 2026-03-01 02:15 UTC is counted as served and does not start\.$/],
];
for (const [does, expected] of deeds)
  test(`of the run that was missed: ${does}`, () =>
    assert.match(say('at-once', { does, because: '', for: at, zone: '' }), expected));

const caveats: Record<CaveatCode, RegExp> = {
  'zone-of-the-controller': /UTC is assumed here\.$/,
  'zone-in-the-schedule': /which is not supported\.$/,
  'more-than-100-missed': /TooManyMissedTimes.*before Kubernetes 1\.22 it never ran again\.$/,
  'deadline-below-10s': /below 10 runs may be left out\.$/,
  'deadline-prevents-every-run': /leaves no moment at which a run may start\.$/,
  'counted-from-the-last-run': /@every counts from the last run\.$/,
  'only-within-the-deadline': /the missed run does not start\.$/,
};
for (const [caveat, expected] of Object.entries(caveats))
  test(`with the caveat ${caveat}`, () => assert.match(say('forecast-caveat', { caveat }), expected));

const unforeseen: Record<UnforeseenCode, RegExp> = {
  'schedule-unreadable': /its schedule cannot be read\.$/,
  'zone-unknown': /its time zone is not known here\.$/,
  'odd-time-change': /changes in a way that is not reckoned with here\.$/,
};
for (const [why, expected] of Object.entries(unforeseen))
  test(`no forecast: ${why}`, () => assert.match(say('forecast-unknown', { why }), expected));
