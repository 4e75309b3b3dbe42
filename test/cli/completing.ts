// Completion as kubectl asks for it, and a namespace in which each verb has something to complete.
import assert from 'node:assert/strict';
import type { FakeApi } from '../support/fake-api.ts';
import { type RunOptions, runCli } from '../support/run-cli.ts';
import { aCronJob, aJob, aPod, aScaledJob } from '../support/world.ts';
import { aFake as anyFake } from './fake.ts';

/** Whatever is completed, it only reads. */
export async function aFake(t: Parameters<typeof anyFake>[0]): Promise<FakeApi> {
  const api = await anyFake(t);
  t.after(() => assert.ok(api.log.all().every(({ method }) => method === 'GET')));
  return api;
}

const wordsOf = (line: string): string[] => line.split(' ').map(word => (word === '_' ? '' : word));

/** The two seconds are for who has nothing else to do; what is offered must not depend on how busy the machine is. */
export const patient = { JOBCTL_COMPLETION_TIMEOUT: '20s' };

/** What is printed, without descriptions; `_` is the word that has not been begun. Whatever happens, it is no error. */
export async function completed(line: string, options: RunOptions): Promise<string[]> {
  const env = { ...patient, ...options.env };
  const { stdout, stderr, code } = await runCli(['__complete', ...wordsOf(line)], { ...options, env });
  assert.equal(code, 0);
  assert.equal(stderr, '');
  return stdout
    .trimEnd()
    .split('\n')
    .map(text => text.split('\t')[0] ?? '');
}

export const requests = (api: FakeApi): string[] => api.log.all().map(({ path }) => path.split('?')[0] ?? '');

/** A note of `stop` on an object of this uid. */
const stopped = (uid: string) => ({
  'jobctl/stopped': JSON.stringify({
    v: 1,
    uid,
    at: '2026-03-01T09:00:00Z',
    by: 'anna',
    changes: [{ path: '/spec/suspend', was: false, set: true }],
  }),
});

export function furnish(api: FakeApi): void {
  api.add(
    aCronJob('nightly'),
    aCronJob('sync').suspended().withUid('sync-uid').annotated(stopped('sync-uid')),
    // KEDA copies annotations: a note about another object says nothing about this one
    aCronJob('copied').annotated(stopped('other-uid')),
    aScaledJob('queue').withUid('queue-uid').annotated(stopped('queue-uid')),
    aJob('etl').running(),
    aJob('done').complete('2d ago'),
    aJob('broken').failed('1d ago').withUid('broken-uid').annotated(stopped('broken-uid')),
    aJob('going').running().finalizers(['example.com/hold']).deletingSince('3h ago'),
    aPod('pod-1').running(),
    aPod('pod-2').succeeded().finalizers(['example.com/hold']).deletingSince('1h ago'),
    aJob('elsewhere').in('other').running(),
  );
}
