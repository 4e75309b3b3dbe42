// What `resume` says will happen, and what the real CronJob controller then does: one minute is missed by all of them, the next one is waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import { inParallel } from '../cluster/admin.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { apiTime } from '../cluster/state/draft.ts';
import { endPod } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { aPlaceToResume, jobNameAt, jobNamesOf, minuteOf, stateOf, whileWatching } from './resume-place.ts';
import { aCronJob, pathOf, podsOf, templateOf, untilItRan, untilRunning, type Work } from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

type Policy = 'Allow' | 'Forbid' | 'Replace';

interface Wanted {
  readonly name: string;
  readonly policy: Policy;
  /** A Job of it runs all the time: only the CronJob is stopped. */
  readonly isActive: boolean;
  readonly skips: boolean;
}

const wanted: readonly Wanted[] = (['Allow', 'Forbid', 'Replace'] as const).flatMap(policy =>
  [false, true].flatMap(isActive =>
    [false, true].map(skips => ({
      name: [policy.toLowerCase(), isActive ? 'active' : 'idle', skips ? 'skips' : 'catches-up'].join('-'),
      policy,
      isActive,
      skips,
    })),
  ),
);

interface Stopped extends Wanted {
  readonly cronJob: KubeObject;
  readonly work: Work;
  readonly before: Awaited<ReturnType<typeof stateOf>>;
}

type Deed = 'starts' | 'waits' | 'replaces' | 'skips' | 'nothing';

/** What the sentences say. */
interface Foretold {
  readonly missed: number;
  readonly deed: Deed;
  readonly run?: Date;
  readonly next?: Date;
}

const deeds: Readonly<Record<Exclude<Deed, 'nothing'>, RegExp>> = {
  starts: /the run of (.*) UTC starts at once when this is applied/,
  waits: /the run of (.*) UTC starts as soon as the active one has ended \(Forbid\)/,
  replaces:
    /the run of (.*) UTC starts at once, and the Job that is active now is deleted with its Pods \(Replace\)/,
  skips: /the run of (.*) UTC is counted as served and does not start/,
};

function foretoldBy(text: string, name: string): Foretold {
  const own = text.split('\n').filter(line => line.startsWith(`cronjob.batch/${name}: `));
  const find = (what: RegExp): string | undefined => own.flatMap(line => what.exec(line)?.[1] ?? [])[0];
  const at = (what: RegExp): Date | undefined => {
    const found = find(what);
    return found === undefined ? undefined : new Date(`${found.replace(' ', 'T')}:00Z`);
  };
  const deed = (Object.keys(deeds) as (keyof typeof deeds)[]).find(one => at(deeds[one]) !== undefined);
  const run = deed === undefined ? undefined : at(deeds[deed]);
  const next = at(/the next regular run is at (.*) UTC/);
  return {
    missed: Number(find(/: (\d+) runs? (?:was|were) missed/) ?? 0),
    deed: deed ?? 'nothing',
    ...(run === undefined ? {} : { run }),
    ...(next === undefined ? {} : { next }),
  };
}

const expectedDeed = ({ policy, isActive, skips }: Wanted): Deed => {
  if (skips) return 'skips';
  if (!isActive || policy === 'Allow') return 'starts';
  return policy === 'Forbid' ? 'waits' : 'replaces';
};

test('the missed-run forecast agrees with what the real controller then does, with and without --skip-missed, for Allow, Forbid and Replace, with and without an active Job', {
  timeout: 400_000,
}, async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  // one minute for all of this, so that all miss the same runs
  await until('a minute to begin', 60_000, async () => new Date().getSeconds() < 5);
  const stopped = await inParallel(
    wanted,
    async (one): Promise<Stopped> => {
      const cronJob = await aCronJob(admin, namespace, one.name, {
        schedule: '* * * * *',
        concurrencyPolicy: one.policy,
        successfulJobsHistoryLimit: 10,
        failedJobsHistoryLimit: 10,
        jobTemplate: { spec: { template: templateOf({}) } },
      });
      await admin.patch(pathOf(cronJob), { metadata: { labels: { active: String(one.isActive) } } });
      const before = await stateOf(plane, cronJob);
      const work = await untilRunning(admin, await untilItRan(admin, cronJob), { active: 1 });
      return { ...one, cronJob, work, before };
    },
    4,
  );
  const stops = await Promise.all([
    run('stop cronjobs -l active=true --suspend-only --yes'),
    run('stop cronjobs -l active=false --no-save --yes'),
  ]);
  for (const done of stops) assert.equal(done.code, 0, done.stderr);
  const stoppedAt = minuteOf(new Date());
  // one that is too late for its deadline: nothing starts
  const late = await aCronJob(admin, namespace, 'late', {
    schedule: `${(new Date().getUTCMinutes() + 50) % 60} * * * *`,
    startingDeadlineSeconds: 200,
  });
  assert.equal((await run('stop cronjob/late --no-save --yes')).code, 0);
  const fiveHoursAgo = new Date(Date.now() - 5 * 3_600_000);
  await admin.patch(`${pathOf(late)}/status`, { status: { lastScheduleTime: apiTime(fiveHoursAgo) } });

  const had = new Map<string, readonly string[]>();
  for (const { name, cronJob } of stopped) had.set(name, await jobNamesOf(admin, cronJob));
  await until('a minute to be missed', 70_000, async () => minuteOf(new Date()) > stoppedAt);
  const minute = minuteOf(new Date());

  // each is foretold and resumed within that minute
  const told = await inParallel(
    stopped,
    async one => {
      const done = await run(`resume cronjob/${one.name}${one.skips ? ' --skip-missed' : ''} --yes`);
      assert.equal(done.code, 0, done.stderr);
      return { ...one, foretold: foretoldBy(done.stderr, one.name) };
    },
    3,
  );
  const tooLate = await run('resume cronjob/late --yes');
  assert.match(
    tooLate.stderr,
    /cronjob\.batch\/late: nothing starts at once, startingDeadlineSeconds has passed for what was missed/,
  );
  const next = new Date(minute.getTime() + 60_000);
  assert.ok(new Date() < next, 'all of them within one minute');
  for (const { name, foretold, ...one } of told) {
    assert.deepEqual(foretold.deed, expectedDeed({ name, ...one }), name);
    assert.equal(foretold.run?.toISOString(), minute.toISOString(), name);
    assert.equal(foretold.next?.toISOString(), next.toISOString(), name);
    assert.ok(foretold.missed >= 1, name);
  }

  // what it did, of what was said
  const jobsNow = async ({ name, cronJob }: Stopped): Promise<readonly string[]> => {
    const before = had.get(name) ?? [];
    return (await jobNamesOf(admin, cronJob)).filter(job => !before.includes(job));
  };
  const isThere = async ({ work }: Stopped): Promise<boolean> => {
    const { metadata } = work.job;
    return (await admin.find(pathOf(work.job)))?.metadata.uid === metadata.uid;
  };
  const starting = told.filter(({ foretold }) => ['starts', 'replaces'].includes(foretold.deed));
  for (const one of starting)
    await until(`${one.name} to start its missed run`, 15_000, async () => (await jobsNow(one)).length > 0);
  const caughtUp = (one: (typeof told)[number]): readonly string[] =>
    starting.includes(one) ? [jobNameAt(one.name, minute)] : [];
  const asForetold = async (one: (typeof told)[number]) => {
    assert.deepEqual(await jobsNow(one), caughtUp(one), one.name);
    assert.equal(await isThere(one), one.foretold.deed !== 'replaces', `${one.name}: the Job from before`);
  };
  for (const one of starting.filter(({ foretold }) => foretold.deed === 'replaces'))
    await until(`the active Job of ${one.name} to be deleted`, 15_000, async () => !(await isThere(one)));
  assert.ok(new Date() < next, 'and seen within that minute');
  const seconds = Math.min(8, (next.getTime() - Date.now()) / 1000 - 12);
  assert.ok(seconds > 2, `only ${seconds} s are left to look`);
  await whileWatching(seconds, async () => {
    for (const one of told) await asForetold(one);
    assert.deepEqual(await jobNamesOf(admin, late), []);
  });

  // Forbid: as soon as the active one has ended
  const waiting = told.filter(({ foretold }) => foretold.deed === 'waits');
  assert.ok(waiting.length > 0);
  for (const one of waiting) await endPod(admin, one.work.pod, { phase: 'Succeeded' });
  for (const one of waiting)
    await until(`${one.name} to start its missed run`, 12_000, async () =>
      (await jobsNow(one)).includes(jobNameAt(one.name, minute)),
    );

  // the next regular run is the one that was said: but for Forbid, where the one before it still runs
  const regular = told.filter(({ policy, isActive, skips }) => policy !== 'Forbid' || (skips && !isActive));
  await until('the next minute', 70_000, async () => new Date() > next);
  for (const one of regular)
    await until(`${one.name} to run at the next minute`, 20_000, async () =>
      (await jobsNow(one)).includes(jobNameAt(one.name, next)),
    );
  for (const one of told.filter(({ skips }) => skips))
    assert.ok(!(await jobsNow(one)).includes(jobNameAt(one.name, minute)), `${one.name} was skipped`);

  // and no trace of it in the spec
  for (const { name, cronJob, before } of told)
    assert.equal((await stateOf(plane, cronJob)).spec, before.spec, name);
  for (const { work, isActive, name, policy, skips } of told)
    if (isActive && policy === 'Allow')
      assert.equal((await podsOf(admin, work.job)).length, 1, `${name} ${skips}: its active Pod goes on`);
});
