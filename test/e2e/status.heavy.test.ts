// `status` beside a control plane that does not tidy up: no CronJob controller, no garbage collector. What is stuck has to be waited for,
// because the server writes the moment of a delete itself; everything else is made meanwhile.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJobs, createJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { aNode, aPlace } from './operator.ts';

const controllers = '--controllers=*,-cronjob-controller,-garbage-collector-controller';
const plane = await startControlPlane({ controllerManagerFlags: [controllers] });
after(() => plane.stop());
const { admin } = plane;

interface Told {
  readonly code: string;
  readonly text: string;
  readonly targets: readonly { readonly name: string }[];
  readonly next: readonly string[];
}

test('history, an owner that is gone, a Job without a Pod and three stuck objects, each with the command that deals with it', async t => {
  const { namespace, run } = await aPlace(t, plane, { everywhere: true });
  const node = await aNode(t, plane, namespace, 'Unknown');
  const spec = { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 };
  const [owner, gone] = [
    await createCronJob(admin, { name: 'nightly', namespace, spec }),
    await createCronJob(admin, { name: 'gone', namespace, spec }),
  ];

  // stuck: a Pod on a node that is silent, a Job that waits for it, a Job of somebody's finalizer
  const etl = await createRunningJob(admin, { name: 'etl', namespace });
  await createPodOf(admin, etl, { name: 'etl-a', phase: 'Running', node, graceSeconds: 1 });
  await createRunningJob(admin, { name: 'held', namespace, finalizers: ['status.example.test/hold'] });
  t.after(() => releaseObject(admin, `${jobPath(namespace)}/held`));
  t.after(() => releaseObject(admin, `${jobPath(namespace)}/etl`));
  await admin.delete(`${podPath(namespace)}/etl-a`);
  await admin.delete(`${jobPath(namespace)}/etl`, { propagationPolicy: 'Foreground' });
  await admin.delete(`${jobPath(namespace)}/held`, { propagationPolicy: 'Background' });
  const refuses = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'none' },
    spec: { hard: { pods: '1' } },
  };
  await admin.create(`/api/v1/namespaces/${namespace}/resourcequotas`, refuses);
  await createJob(admin, { name: 'refused', namespace });

  await createFinishedJobs(
    admin,
    [1, 2, 3, 4, 5, 6].map(at => ({ name: `nightly-${at}`, namespace, owner, ended: `${at}h` as const })),
  );
  const shared = await createRunningJob(admin, { name: 'shared', namespace, owner: gone });
  const second = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: owner.metadata.uid };
  await admin.patch(`${jobPath(namespace)}/shared`, {
    metadata: { ownerReferences: [...(shared.metadata.ownerReferences ?? []), second] },
  });
  await createRunningJob(admin, { name: 'gone-1', namespace, owner: gone });
  await admin.delete(`/apis/batch/v1/namespaces/${namespace}/cronjobs/gone`, {
    propagationPolicy: 'Background',
  });

  const early: readonly Told[] = JSON.parse((await run('status -o json')).stdout).byNamespace[0].findings;
  assert.ok(
    !early.some(({ code }) => code === 'stuck' || code === 'never-started'),
    'nothing is called stuck too early',
  );

  const findings = await until('the grace of two minutes to pass', 240_000, async () => {
    const { stdout } = await run('status -o json');
    const all: readonly Told[] = JSON.parse(stdout).byNamespace[0].findings;
    const [stuck, late] = ['stuck', 'never-started'].map(code => all.filter(one => one.code === code).length);
    return stuck === 3 && late === 1 && all;
  });
  const told = findings.map(({ code, targets }) => `${code} ${targets.map(({ name }) => name).join(' ')}`);
  assert.deepEqual(told, [
    'stuck etl-a',
    'stuck etl',
    'stuck held',
    'never-started refused',
    'beyond-retention nightly-4 nightly-5 nightly-6',
    'owner-gone gone-1',
    'owner-gone shared',
    'suspended nightly',
  ]);
  const texts = findings.map(({ text }) => text).join('\n');
  assert.match(
    texts,
    new RegExp(`^pod/etl-a stuck for \\S+: the kubelet of node ${node} has not ended it$`, 'm'),
  );
  assert.match(
    texts,
    /^job\.batch\/etl stuck for \S+: held by foregroundDeletion: waits for 1 dependent: pod\/etl-a$/m,
  );
  assert.match(texts, /^job\.batch\/held stuck for \S+: held by status\.example\.test\/hold$/m);

  // what it names finds the same
  const pruned = await run('prune jobs --dry-run -o name');
  assert.deepEqual(pruned.stdout.trim().split('\n').sort(), [
    'job.batch/nightly-4',
    'job.batch/nightly-5',
    'job.batch/nightly-6',
  ]);
  const unstick = await run('unstick');
  assert.match(unstick.stdout, /^3 objects terminating\.$/m);

  const everywhere = await run('status -A');
  assert.match(
    everywhere.stdout,
    new RegExp(
      `^${namespace} +1, 1 suspended +\\d+: .*3 too many, 1 never started a Pod +- +3, oldest \\S+ +unstick -n`,
      'm',
    ),
  );

  // what the collector is about to take is waited for; of what has another owner the dead reference goes, and nothing else
  const nextOf = (name: string): readonly string[] =>
    findings.find(({ code, targets }) => code === 'owner-gone' && targets[0]?.name === name)?.next ?? [];
  assert.deepEqual(nextOf('gone-1'), [`kubectl jobctl status --watch -n ${namespace}`]);
  const [, patch = ''] = /-p '(.*)' -n /.exec(nextOf('shared')[0] ?? '') ?? [];
  await admin.request(
    'PATCH',
    `${jobPath(namespace)}/shared`,
    JSON.parse(patch),
    'application/json-patch+json',
  );
  const job = await admin.get(`${jobPath(namespace)}/shared`);
  assert.deepEqual(
    job.metadata.ownerReferences?.map(({ name }) => name),
    ['nightly'],
  );
});
