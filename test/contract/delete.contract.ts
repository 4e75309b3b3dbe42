// What a DELETE does: preconditions, policies, what is answered, what a dry run leaves alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import { configMapPath, createConfigMap, releaseObject, untilGone } from '../cluster/state/finalizers.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { deleting, type PlaceOf, refOf, refusalOf, releaseAfter, type Scene, sceneOf } from './place.ts';

async function aJobWithPod({ admin, namespace }: Scene): Promise<{ job: KubeObject; pod: KubeObject }> {
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  return { job, pod: await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' }) };
}

const losesItsOwner = ({ admin, namespace }: Scene) =>
  until('the Pod to lose its owner', 30_000, async () => {
    const pod = await admin.get(podPath(namespace, 'p'));
    return pod.metadata.ownerReferences === undefined;
  });

export function askAboutDeletes(placeOf: PlaceOf): void {
  test('a delete pinned to another uid is refused as changed, and the object stays', async t => {
    const scene = await sceneOf(t, placeOf);
    const kind = await scene.kind('batch', 'Job');
    const { job } = await aJobWithPod(scene);
    const stale = { ...refOf(kind, job), uid: '11111111-1111-4111-8111-111111111111' };
    const written = await scene.writer.deleteObject(deleting(stale));
    assert.ok(written.state === 'failed');
    assert.equal(written.problem.code, 'changed-since-read');
    assert.match(
      written.problem.text,
      /^Error from server \(Conflict\): Operation cannot be fulfilled on Job\.batch "j": the UID in the precondition \(1{8}-.*\) does not match the UID in record/,
    );
    assert.equal((await scene.meta(kind, 'j')).ref.resourceVersion, job.metadata.resourceVersion);
  });

  test('a delete pinned to an old version is refused as changed, one pinned to the newest is not', async t => {
    const scene = await sceneOf(t, placeOf);
    const kind = await scene.kind('', 'ConfigMap');
    const made = await createConfigMap(scene.admin, { name: 'm', namespace: scene.namespace });
    const stale = refOf(kind, made);
    const newest = refOf(
      kind,
      await scene.admin.patch(configMapPath(scene.namespace, 'm'), { data: { a: 'b' } }),
    );
    const refused = await scene.writer.deleteObject(deleting(stale, { pin: 'version' }));
    assert.ok(refused.state === 'failed' && refused.problem.code === 'changed-since-read');
    assert.match(refused.problem.text, /on ConfigMap "m": the ResourceVersion in the precondition/);
    assert.equal((await scene.writer.deleteObject(deleting(newest, { pin: 'version' }))).state, 'gone');
    assert.equal((await scene.writer.deleteObject(deleting(newest))).state, 'already-gone');
  });

  test('Background: the Job is gone at once, the collector takes its Pods', async t => {
    const scene = await sceneOf(t, placeOf);
    const { job } = await aJobWithPod(scene);
    const written = await scene.writer.deleteObject(deleting(refOf(await scene.kind('batch', 'Job'), job)));
    assert.equal(written.state, 'gone');
    assert.equal(await scene.admin.find(jobPath(scene.namespace, 'j')), undefined);
    await untilGone(scene.admin, podPath(scene.namespace, 'p'));
  });

  test('Orphan: held by `orphan` until the Pods have lost their owner, and they stay', async t => {
    const scene = await sceneOf(t, placeOf);
    const { job } = await aJobWithPod(scene);
    const target = refOf(await scene.kind('batch', 'Job'), job);
    const written = await scene.writer.deleteObject(deleting(target, { propagation: 'Orphan' }));
    assert.ok(written.state === 'held');
    assert.deepEqual(written.object.finalizers, ['orphan']);
    await untilGone(scene.admin, jobPath(scene.namespace, 'j'));
    await losesItsOwner(scene);
  });

  test('Foreground: held by `foregroundDeletion` while a dependent that blocks it is there', async t => {
    const scene = await sceneOf(t, placeOf);
    const { admin, namespace } = scene;
    const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
    const held = { name: 'held', namespace, owner: job, finalizers: ['example.com/hold'] };
    await createConfigMap(admin, held);
    const target = refOf(await scene.kind('batch', 'Job'), job);
    const written = await scene.writer.deleteObject(deleting(target, { propagation: 'Foreground' }));
    assert.ok(written.state === 'held');
    assert.deepEqual(written.object.finalizers, ['foregroundDeletion']);
    await until('the dependent to be terminating', 30_000, async () => {
      const found = await admin.get(configMapPath(namespace, 'held'));
      return found.metadata.deletionTimestamp !== undefined;
    });
    assert.ok(await admin.find(jobPath(namespace, 'j')), 'the owner waits');
    await releaseObject(admin, configMapPath(namespace, 'held'));
    await untilGone(admin, jobPath(namespace, 'j'));
  });

  for (const [how, query, body] of [
    ['without options', '', undefined],
    ['with a body of {} and Background in the query', '?propagationPolicy=Background', {}],
  ] as const) {
    test(`D01: a DELETE of a Job ${how} orphans its Pods`, async t => {
      const scene = await sceneOf(t, placeOf);
      await aJobWithPod(scene);
      const answer = await scene.admin.request('DELETE', jobPath(scene.namespace, 'j') + query, body);
      assert.equal(answer.kind, 'Job');
      assert.deepEqual(answer.metadata.finalizers, ['orphan']);
      await losesItsOwner(scene);
    });
  }

  test('without a body the query is obeyed, and a Status says that it is gone', async t => {
    const scene = await sceneOf(t, placeOf);
    const { job } = await aJobWithPod(scene);
    const path = `${jobPath(scene.namespace, 'j')}?propagationPolicy=Background`;
    const answer = await scene.admin.request<{ kind: string; status: string; details: unknown }>(
      'DELETE',
      path,
    );
    assert.equal(answer.kind, 'Status');
    assert.equal(answer.status, 'Success');
    assert.deepEqual(answer.details, { name: 'j', group: 'batch', kind: 'jobs', uid: job.metadata.uid });
  });

  test('D02: the server takes policy names in one spelling only', async t => {
    const scene = await sceneOf(t, placeOf);
    await aJobWithPod(scene);
    const path = jobPath(scene.namespace, 'j');
    // one after the other: a refusal that nobody listens to yet would end the test
    for (const ask of [
      () => scene.admin.request('DELETE', path, { propagationPolicy: 'background' }),
      () => scene.admin.request('DELETE', `${path}?propagationPolicy=background`),
    ]) {
      const refused = await refusalOf(ask());
      assert.equal(refused.status, 422);
      assert.match(refused.message, /propagationPolicy: Unsupported value: "background"/);
    }
  });

  test('D03: a finalizer holds the object, the answer names it, and a second delete changes nothing', async t => {
    const scene = await sceneOf(t, placeOf);
    const { admin, namespace, writer } = scene;
    const kind = await scene.kind('batch', 'Job');
    const job = await createFinishedJob(admin, {
      name: 'j',
      namespace,
      ended: '1h',
      finalizers: ['example.com/hold'],
    });
    releaseAfter(t, admin, jobPath(namespace, 'j'));
    const first = await writer.deleteObject(deleting(refOf(kind, job)));
    assert.ok(first.state === 'held');
    assert.deepEqual(first.object.finalizers, ['example.com/hold']);
    assert.notEqual(first.object.deletingSince, undefined);
    const second = await writer.deleteObject(deleting(refOf(kind, job)));
    assert.ok(second.state === 'held');
    assert.deepEqual(second.object.finalizers, ['example.com/hold']);
    assert.equal(second.object.ref.resourceVersion, first.object.ref.resourceVersion);
  });

  test('D08: a further delete says anew what happens to dependents; Background frees what waits under Foreground', async t => {
    const scene = await sceneOf(t, placeOf);
    const { admin, namespace, writer } = scene;
    const owner = await createConfigMap(admin, { name: 'owner', namespace });
    await createConfigMap(admin, { name: 'held', namespace, owner, finalizers: ['example.com/hold'] });
    releaseAfter(t, admin, configMapPath(namespace, 'held'));
    const target = refOf(await scene.kind('', 'ConfigMap'), owner);
    for (const times of [1, 2]) {
      const written = await writer.deleteObject(deleting(target, { propagation: 'Foreground' }));
      assert.ok(written.state === 'held', `${times}`);
      assert.deepEqual(written.object.finalizers, ['foregroundDeletion']);
    }
    assert.equal((await writer.deleteObject(deleting(target))).state, 'gone');
    assert.equal(await admin.find(configMapPath(namespace, 'owner')), undefined);
  });

  test('D07: Background overrides a finalizer that was set beforehand to ask for another policy', async t => {
    const scene = await sceneOf(t, placeOf);
    const kind = await scene.kind('batch', 'Job');
    for (const finalizer of ['orphan', 'foregroundDeletion']) {
      const { admin, namespace } = scene;
      const job = await createFinishedJob(admin, {
        name: finalizer.toLowerCase(),
        namespace,
        ended: '1h',
        finalizers: [finalizer],
      });
      assert.equal((await scene.writer.deleteObject(deleting(refOf(kind, job)))).state, 'gone', finalizer);
    }
  });

  test('a server dry run of a delete changes nothing and still checks the uid', async t => {
    const scene = await sceneOf(t, placeOf);
    const kind = await scene.kind('batch', 'Job');
    const { job } = await aJobWithPod(scene);
    for (const propagation of ['Background', 'Foreground', 'Orphan'] as const) {
      const written = await scene.dryRun.deleteObject(deleting(refOf(kind, job), { propagation }));
      assert.equal(written.state, 'done', propagation);
    }
    const other = { ...refOf(kind, job), uid: '11111111-1111-4111-8111-111111111111' };
    assert.equal((await scene.dryRun.deleteObject(deleting(other))).state, 'failed');
    const now = await scene.meta(kind, 'j');
    assert.equal(now.ref.resourceVersion, job.metadata.resourceVersion);
    assert.equal(now.deletingSince, undefined);
  });
}
