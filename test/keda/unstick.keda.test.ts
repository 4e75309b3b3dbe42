// A real KEDA that works, one that lives and fails, and one that is gone: only the last one's finalizer is ours to remove.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { forbidKeda, installKeda, kedaUser } from '../cluster/keda/install.ts';
import { kedaLease, startKeda } from '../cluster/keda/operator.ts';
import { createScaledJob, kedaFinalizer, scaledJobPath } from '../cluster/keda/scaled-job.ts';
import { untilGone } from '../cluster/state/finalizers.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { leasePath, microTime } from '../cluster/state/leases.ts';
import { podPath } from '../cluster/state/pods.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { until } from '../cluster/until.ts';
import { aPlace, operatorRules, type Place } from '../e2e/operator.ts';

const plane = await startControlPlane();
after(() => plane.stop());
const { admin } = plane;
await installKeda(plane);
const keda = await startKeda(plane);
after(() => keda.stop());

/** What is asked of `unstick`, and the words that it has to find. */
const look = 'unstick scaledjob/queue --stuck-for 1s --dry-run';
const free = 'unstick scaledjob/queue --stuck-for 1s --yes';
const says = {
  finalizer: /finalizer\.keda\.sh/,
  gone: /no .*KEDA|KEDA.* gone|controller.* gone/i,
  // Nothing else speaks for a KEDA that fails: it writes neither Events nor fields while it is refused.
  alive: /operator\.keda\.sh.*renewed|renewed.*operator\.keda\.sh|alive/i,
};

/** A Lease younger than this speaks for a controller that lives. */
const leaseIsOldMs = 60_000;
/** And one that is older than this for one that is gone. */
const leaseIsDeadMs = 300_000;
const jobs = 3;

const aQueue = async (t: TestContext): Promise<Place> => {
  const rules = [...operatorRules, { apiGroups: ['keda.sh'], resources: ['scaledjobs'], verbs: ['patch'] }];
  const place = await aPlace(t, plane, { rules, everywhere: true });
  const queue = await createScaledJob(admin, { name: 'queue', namespace: place.namespace, jobs });
  assert.deepEqual(queue.metadata.finalizers, [kedaFinalizer]);
  await until('a Pod of each Job', 30_000, async () => {
    const pods = await admin.list(podPath(place.namespace));
    return pods.length >= jobs && pods;
  });
  return place;
};

/** Deleted a good second ago, so that it counts as stuck. */
async function deleteQueue(namespace: string): Promise<KubeObject> {
  const path = scaledJobPath(namespace, 'queue');
  const queue = await deleteAndHold(admin, path, { propagationPolicy: 'Background' });
  const since = Date.parse(queue.metadata.deletionTimestamp ?? '');
  await until('it to be stuck', 10_000, async () => Date.now() > since + 2500);
  return admin.get(path);
}

async function assertAllGoes(namespace: string, deadlineMs: number): Promise<void> {
  await untilGone(admin, scaledJobPath(namespace, 'queue'), deadlineMs);
  await until('its Jobs and Pods to be collected', 60_000, async () => {
    const left = await Promise.all([jobPath, podPath].map(path => admin.list(path(namespace))));
    return left.flat().length === 0;
  });
}

test('a KEDA that works finishes with a deleted ScaledJob by itself, and its running Jobs go with it', async t => {
  const { namespace } = await aQueue(t);
  await admin.delete(scaledJobPath(namespace, 'queue'), { propagationPolicy: 'Background' });
  await assertAllGoes(namespace, 30_000);
});

test('the finalizer of a KEDA that lives but may not update its ScaledJobs stays: that is to be mended', async t => {
  const { namespace, user, run } = await aQueue(t);
  // As in an installation whose roles are older than its operator.
  const giveBack = await forbidKeda(admin, 'scaledjobs', ['update', 'patch']);
  t.after(giveBack);
  const trail = await auditTrail(plane);
  const before = await deleteQueue(namespace);
  const refused = await trail.atLeast(1, { namespace, user: kedaUser, resource: 'scaledjobs' });
  assert.deepEqual([...new Set(refused.map(({ verb, code }) => `${verb} ${code}`))], ['update 403']);
  const done = await run(free);
  assert.equal(done.code, 3, done.stdout + done.stderr);
  assert.match(done.stdout + done.stderr, says.finalizer);
  assert.match(done.stdout + done.stderr, says.alive);
  const after = await admin.get(scaledJobPath(namespace, 'queue'));
  assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion);
  assert.deepEqual(after.metadata.finalizers, [kedaFinalizer]);
  assert.deepEqual(await trail.events({ user, verbs: ['patch', 'update', 'delete'] }), []);
  await giveBack();
  // It tries again ever more seldom, so this may take as long again as it has failed.
  await assertAllGoes(namespace, 90_000);
});

// The last one, because nobody starts it again.
test('U07: a KEDA that was killed leaves a ScaledJob stuck; it is said to be gone, and its finalizer goes', async t => {
  const { namespace, user, run } = await aQueue(t);
  await keda.stop();
  await deleteQueue(namespace);
  const early = await run(free);
  assert.equal(early.code, 3, 'its Lease is still fresh, so it may only be slow');
  await until('its Lease to be old', leaseIsOldMs + 10_000, async () => {
    const lease = await kedaLease(admin);
    return lease !== undefined && Date.now() > lease.renewed.getTime() + leaseIsOldMs + 1000;
  });
  const stopped = await run(free);
  assert.equal(stopped.code, 3, 'it may only be starting again');
  assert.match(stopped.stdout + stopped.stderr, /does not run now: lease keda\/operator\.keda\.sh/);
  // the minutes until it counts as gone are not waited for, they are written
  const renewTime = microTime(new Date(Date.now() - leaseIsDeadMs - 1000));
  await admin.patch(leasePath('keda', 'operator.keda.sh'), { spec: { renewTime } });
  const looked = await run(look);
  assert.match(looked.stdout + looked.stderr, says.finalizer);
  assert.match(looked.stdout + looked.stderr, says.gone);
  const held = await admin.get(scaledJobPath(namespace, 'queue'));
  assert.deepEqual(held.metadata.finalizers, [kedaFinalizer], 'a dry run removes nothing');
  const trail = await auditTrail(plane);
  const done = await run(free);
  assert.equal(done.code, 0, done.stdout + done.stderr);
  await assertAllGoes(namespace, 10_000);
  const patches = await trail.atLeast(1, { namespace, user, verbs: ['patch'] });
  assert.deepEqual(
    patches.map(({ objectRef, code }) => [objectRef?.resource, code]),
    [['scaledjobs', 200]],
  );
});
