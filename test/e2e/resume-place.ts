// What is to be given back: work that a stop has ended, specs as the server stores them, byte by byte, and the minute as a clock.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, KubeObject } from '../cluster/admin.ts';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { until } from '../cluster/until.ts';
import type { Place } from './operator.ts';
import { aPlaceToStop, jobsOf, pathOf, stopRules } from './stop-place.ts';

/** What a resume needs with all its flags, and what the stop before it needs. */
export const resumeRules = [
  ...stopRules,
  { apiGroups: ['batch'], resources: ['cronjobs/status'], verbs: ['patch'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create'] },
];

export const aPlaceToResume = (t: TestContext, plane: ControlPlane, rules = resumeRules): Promise<Place> =>
  aPlaceToStop(t, plane, rules);

/** The text between `"spec":` and the brace that ends it, as it came from the server: nothing is parsed and written again. */
export async function rawSpec(plane: ControlPlane, path: string): Promise<string> {
  const stdout = await kubectl(plane, ['get', '--raw', path]);
  const from = stdout.indexOf('"spec":{');
  assert.ok(from >= 0, stdout);
  return objectAt(stdout, from + '"spec":'.length);
}

/** Braces within strings are none. */
function objectAt(text: string, from: number): string {
  let depth = 0;
  for (const { 0: token, index } of text.slice(from).matchAll(/"(?:\\.|[^"\\])*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return text.slice(from, from + index + 1);
  }
  throw new Error(`no end of ${text.slice(from, from + 80)}`);
}

/** As it is at this moment: its spec in bytes, and its annotations. */
export async function stateOf(plane: ControlPlane, object: KubeObject) {
  const { metadata } = await plane.admin.get(pathOf(object));
  return { spec: await rawSpec(plane, pathOf(object)), annotations: metadata.annotations };
}

const secondOfMinute = (): number => new Date().getSeconds() + new Date().getMilliseconds() / 1000;

/** So many seconds are left until the CronJob controller has its next minute. */
export const untilLeft = (seconds: number): Promise<boolean> =>
  until(`${seconds} s to be left of a minute`, 60_000, async () => secondOfMinute() < 60 - seconds);

/** The minute that a Job of a CronJob stands for is the end of its name. Source: pkg/controller/cronjob getJobName. */
export const jobNameAt = (cronJob: string, at: Date): string =>
  `${cronJob}-${Math.floor(at.getTime() / 60_000)}`;

export const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / 60_000) * 60_000);

export const namesOf = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => metadata.name).sort();

export const jobNamesOf = async (admin: Admin, { metadata }: KubeObject): Promise<string[]> =>
  namesOf(await jobsOf(admin, metadata.namespace ?? '', metadata.uid));

/** A state that has to stay as it is, all that time: the first look that fails ends it. */
export async function whileWatching(seconds: number, look: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ; await sleep(250)) {
    await look();
    if (Date.now() >= end) return;
  }
}
