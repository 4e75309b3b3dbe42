// Finished Jobs in numbers, and how to see in the log that each of them went exactly once.
import assert from 'node:assert/strict';
import type { Logged } from '../support/fake/log.ts';
import { fieldsOf, type RawObject } from '../support/fake/object.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { aJob } from '../support/world.ts';

/** `done-0000`, `done-0001`, …: stand-alone, complete for two days. */
export const finishedJobs = (count: number): ReturnType<typeof aJob>[] =>
  Array.from({ length: count }, (_, at) => aJob(`done-${String(at).padStart(4, '0')}`).complete('2d ago'));

/** How many of these were in flight at the same moment. */
export function inFlight(requests: readonly Logged[]): number {
  const steps = requests.flatMap(({ atMs, ms }) => [
    { atMs, by: 1 },
    { atMs: atMs + (ms ?? 0), by: -1 },
  ]);
  // where one ends and another begins in the same moment, the end comes first
  steps.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  return Math.max(
    0,
    ...steps.map(({ by }) => {
      now += by;
      return now;
    }),
  );
}

/** All of them are gone, each by one delete that had an effect, and every write was pinned. */
export function deletedOnce(api: FakeApi, jobs: readonly RawObject[]): void {
  api.log.assertWritesArePinned();
  const uids = api.log
    .writes()
    .filter(({ status }) => status === 200)
    .map(({ body }) => fieldsOf(fieldsOf(body)['preconditions'])['uid']);
  assert.deepEqual(uids.sort(), jobs.map(({ metadata }) => metadata.uid).sort());
  assert.deepEqual(api.names('jobs'), []);
}
