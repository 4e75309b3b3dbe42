import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobPod } from '../../../src/model/job-pod.ts';
import type { LivingJob } from '../../../src/model/living-job.ts';
import type { ReasonCode } from '../../../src/model/why.ts';
import { collectorHasHadMs, JobsThere, leakOf } from '../../../src/plan/leaked.ts';
import { aLeakedPod, aLeakedRunningPod, aLivingJob, ownerOf } from '../leak-nouns.ts';
import { ago, now } from '../nouns.ts';

const there = (...jobs: LivingJob[]) => new JobsThere(new Map([['batch', jobs]]));
const pod = (more: Partial<JobPod> = {}) => aLeakedPod('p', more);
const chooses = (labels: Record<string, string>): LivingJob =>
  aLivingJob('chooser', { selector: { matchLabels: labels, matchExpressions: [] } });

const rows: readonly [string, JobPod, JobsThere, ReasonCode][] = [
  ['W01: has no owner, and its Job is gone', pod(), there(), 'leaked'],
  ['W01: the same, among other Jobs', pod(), there(aLivingJob('other')), 'leaked'],
  ['its Job lives', pod(), there(aLivingJob('gone')), 'job-exists'],
  [
    'its Job lives in another namespace: a uid is one in the whole cluster',
    pod(),
    there(aLivingJob('gone', { namespace: 'x' })),
    'job-exists',
  ],
  ['W09: a Job of the same name, made anew', pod(), there(aLivingJob('gone', { uid: 'uid-new' })), 'leaked'],
  [
    'W02: two spellings of the uid that disagree',
    pod({ jobUids: ['uid-gone', 'uid-b'] }),
    there(),
    'labels-disagree',
  ],
  [
    'W02: the same, one of them alive',
    pod({ jobUids: ['uid-gone', 'uid-b'] }),
    there(aLivingJob('b')),
    'job-exists',
  ],
  [
    'W02: two spellings of the name that disagree',
    pod({ jobNames: ['gone', 'b'] }),
    there(),
    'labels-disagree',
  ],
  ['a name and no uid: hand-made', pod({ jobUids: [] }), there(), 'labels-incomplete'],
  ['a uid and no name: hand-made', pod({ jobNames: [] }), there(), 'labels-incomplete'],
  ['W12: no labels of a Job, no owner', pod({ jobUids: [], jobNames: [] }), there(), 'no-job-labels'],
  [
    'W12: no labels of a Job, another owner',
    pod({ jobUids: [], jobNames: [], owners: [ownerOf('t', 'taskRun')] }),
    there(),
    'has-other-owner',
  ],
  [
    'labels of a dead Job and another owner, whether that lives or not',
    pod({ owners: [ownerOf('t', 'taskRun')] }),
    there(),
    'has-other-owner',
  ],
  [
    'W07: the owner lives, the label is dead',
    pod({ owners: [ownerOf('b')] }),
    there(aLivingJob('b')),
    'job-exists',
  ],
  [
    'W07: the owner is dead, the label lives',
    pod({ owners: [ownerOf('b')] }),
    there(aLivingJob('gone')),
    'job-exists',
  ],
  [
    'an owner that is dead, with the uid of the label and another name',
    pod({ owners: [{ ...ownerOf('gone'), name: 'other' }] }),
    there(),
    'labels-disagree',
  ],
  [
    'an owner and a label that are dead, and not the same',
    pod({ owners: [ownerOf('b')] }),
    there(),
    'labels-disagree',
  ],
  [
    'W03: names its dead Job as owner, ended an hour ago',
    pod({ owners: [ownerOf('gone')] }),
    there(),
    'leaked-by-collector',
  ],
  [
    'W03: the same, ended 30 s ago',
    pod({ owners: [ownerOf('gone')], endedAt: ago('30s') }),
    there(),
    'collector-is-due',
  ],
  [
    'W03: the same, and it runs',
    { ...aLeakedRunningPod('p'), owners: [ownerOf('gone')] },
    there(),
    'collector-is-due',
  ],
  [
    'D15: an owner in a version that is not served any more',
    pod({ owners: [ownerOf('gone', 'job', { version: 'v1beta1' })] }),
    there(aLivingJob('gone')),
    'job-exists',
  ],
  [
    'D06: its Job lives, and that one’s owner is gone',
    pod({ owners: [ownerOf('active')], jobUids: ['uid-active'] }),
    there(aLivingJob('active')),
    'job-exists',
  ],
  [
    'the selector of another living Job chooses it',
    pod({ labels: { app: 'x' } }),
    there(chooses({ app: 'x' })),
    'selected-by-job',
  ],
  [
    'the selector of another living Job does not',
    pod({ labels: { app: 'x' } }),
    there(chooses({ app: 'y' })),
    'leaked',
  ],
  ['a static Pod', pod({ mirror: true }), there(), 'mirror-pod'],
  ['a running one is leaked too', aLeakedRunningPod('p'), there(), 'leaked'],
  ['W08: Jobs could not be read there', pod(), new JobsThere(new Map()), 'jobs-unreadable'],
  [
    'W08: no labels of a Job where Jobs could not be read',
    pod({ jobUids: [], jobNames: [] }),
    new JobsThere(new Map()),
    'no-job-labels',
  ],
];
for (const [what, of, jobs, code] of rows)
  test(`a Pod: ${what}: ${code}`, () => {
    const leak = leakOf(of, jobs, now);
    assert.equal(leak.why.code, code);
    assert.equal(leak.leaked, code.startsWith('leaked'));
  });

test('the collector has had its time from the very moment on', () => {
  const owners = [ownerOf('gone')];
  const endedAt = new Date(now.getTime() - collectorHasHadMs);
  assert.equal(leakOf(pod({ owners, endedAt }), there(), now).leaked, true);
  const later = new Date(endedAt.getTime() + 1);
  assert.equal(leakOf(pod({ owners, endedAt: later }), there(), now).leaked, false);
});

test('what is leaked names the Job that has to be gone when it is deleted', () => {
  const leak = leakOf(pod(), there(), now);
  assert.deepEqual(leak.leaked && leak.job, { uid: 'uid-gone', name: 'gone', namespace: 'batch' });
});
