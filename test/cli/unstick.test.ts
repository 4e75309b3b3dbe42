// `unstick` from the outside, where a real server will not do on demand what the scenario needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '../support/fake/answer.ts';
import {
  type Fault,
  internalError,
  refusing,
  reset,
  tooManyRequests,
  unauthorized,
} from '../support/fake/faults.ts';
import { aKind, evidenceKinds } from '../support/fake/kinds.ts';
import { fieldsOf, withMetadata } from '../support/fake/object.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { runInTerminal } from '../support/terminal.ts';
import { apiTime, at } from '../support/time.ts';
import { aJob, anObject, aPod, aScaledJob } from '../support/world.ts';
import { aFake as anyFake } from './fake.ts';

const keda = 'finalizer.keda.sh';
const cleanup = 'example.com/cleanup';
const audit = 'example.com/audit';
const tracking = 'batch.kubernetes.io/job-tracking';
const [enter, down, space] = ['\r', '\x1b[B', ' '];

async function aFake(t: Parameters<typeof anyFake>[0]): Promise<FakeApi> {
  const api = await anyFake(t);
  api.addKind(aKind('example.com/v1', 'Widget', 'widgets'), ...evidenceKinds);
  return api;
}

const aWidget = (name: string, finalizers: readonly string[] = [cleanup]) =>
  anObject('example.com/v1', 'Widget', name).deletingSince('1h ago').finalizers(finalizers);
const aQueue = (name: string) => aScaledJob(name).deletingSince('1h ago').finalizers([keda]);

const patches = (api: FakeApi) => api.log.writes().filter(({ method }) => method === 'PATCH');
const sentLists = (api: FakeApi) =>
  patches(api).map(({ body }) => fieldsOf(fieldsOf(body)['metadata'])['finalizers']);
const sentVersions = (api: FakeApi) =>
  patches(api).map(({ body }) => fieldsOf(fieldsOf(body)['metadata'])['resourceVersion']);

// --- what is removed, and how ----------------------------------------------------------------------------------------------

test('U05, U19: a named finalizer is taken by one merge patch of metadata.finalizers, and its object is seen to be gone', async t => {
  const api = await aFake(t);
  api.add(aWidget('w').withSpec({ size: 3 }));
  const { code, stdout, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^widget\.example\.com\/w finalizers removed: example\.com\/cleanup$/m);
  assert.match(stdout, /^widget\.example\.com "w" deleted from batch namespace$/m);
  assert.match(stderr, /something outside of the cluster may be left behind/);
  const [sent] = patches(api);
  assert.equal(sent?.contentType, 'application/merge-patch+json');
  assert.deepEqual(Object.keys(fieldsOf(sent?.body)), ['metadata']);
  assert.deepEqual(Object.keys(fieldsOf(fieldsOf(sent?.body)['metadata'])).sort(), [
    'finalizers',
    'resourceVersion',
  ]);
  assert.deepEqual([api.names('widgets'), patches(api).length], [[], 1]);
});

test('U01, U04: the Pod of a terminating Job is freed first, and the Job goes without a patch of its own', async t => {
  const api = await aFake(t);
  const job = aJob('etl').complete('2h ago').deletingSince('1h ago').finalizers(['foregroundDeletion']);
  const pod = aPod('etl-x').of(job).succeeded().deletingSince('1h ago', 0).finalizers([tracking]);
  api.add(job, pod);
  const { code, stderr } = await runCli('unstick job/etl -y', { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual(api.log.lines(), ['PATCH pods batch/etl-x']);
  assert.deepEqual([...api.names('jobs'), ...api.names('pods')], []);
});

test('U03: an add-on’s finalizer that nobody named stays, and is reported', async t => {
  const api = await aFake(t);
  const gone = aJob('gone');
  api.add(aPod('p').of(gone).succeeded().deletingSince('1h ago', 0).finalizers([tracking, audit]));
  const { code, stderr } = await runCli('unstick pod/p -y --timeout 2s', { api });
  assert.equal(code, 2, stderr);
  assert.deepEqual(sentLists(api), [[audit]]);
  assert.match(stderr, /pod\/p is still there: held by example\.com\/audit/);
  assert.deepEqual(api.get('pods', 'batch', 'p')?.metadata.finalizers, [audit]);
});

test('U23: a live object that was named is refused, and nothing is sent', async t => {
  const api = await aFake(t);
  api.add(anObject('example.com/v1', 'Widget', 'alive').finalizers([cleanup]));
  const { code, stderr } = await runCli(`unstick widget/alive --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 3, stderr);
  assert.match(stderr, /refused: not being deleted/);
  assert.deepEqual(api.log.writes(), []);
});

test('U24: live objects with the finalizer are reported and left alone', async t => {
  const api = await aFake(t);
  const live = ['a', 'b', 'c'].map(name => anObject('example.com/v1', 'Widget', name).finalizers([cleanup]));
  api.add(...live, aWidget('w'));
  const { code, stdout, stderr } = await runCli(`unstick --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout + stderr, /3 (live )?.*widgets\.example\.com|widgets\.example\.com.*3/);
  assert.deepEqual(api.names('widgets'), ['a', 'b', 'c']);
});

test('what is gone by the time of the patch is a success that is told once', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  api.faults.on({ method: 'PATCH' }, async (_, pass) => {
    api.remove('widgets', 'batch', 'w');
    return pass();
  });
  const { code, stdout, stderr } = await runCli(
    `unstick widget/w --finalizer ${cleanup} -y --wait=false -o json`,
    { api },
  );
  assert.equal(code, 0, stderr);
  const { summary } = JSON.parse(stdout);
  assert.deepEqual([summary.freed, summary.alreadyGone, summary.failed], [0, 1, 0]);
});

// --- other writers ---------------------------------------------------------------------------------------------------------

/** Another writer changes the object just before our patch comes in. */
const meanwhile =
  (api: FakeApi, finalizers?: readonly string[]): Fault =>
  (_, pass) => {
    api.update('widgets', 'batch', 'w', object =>
      withMetadata(object, {
        labels: { beat: String(Math.random()) },
        ...(finalizers === undefined ? {} : { finalizers }),
      }),
    );
    return pass();
  };

test('U09: 409 twice, then OK: read again each time, never without a resourceVersion', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  api.faults.on({ method: 'PATCH' }, [meanwhile(api), meanwhile(api)]);
  const { code, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    patches(api).map(({ status }) => status),
    [409, 409, 200],
  );
  assert.equal(new Set(sentVersions(api)).size, 3);
  assert.deepEqual(api.names('widgets'), []);
});

test('U09: 409 for ever comes to an end, is told, and changes nothing', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  api.faults.on({ method: 'PATCH' }, meanwhile(api));
  const { code, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 2, stderr);
  assert.match(
    stderr,
    /^widget\.example\.com\/w not changed: somebody writes to it all the time: 20 tries, each met a newer version$/m,
  );
  assert.ok(patches(api).length > 2 && patches(api).length < 50);
  assert.deepEqual(api.get('widgets', 'batch', 'w')?.metadata.finalizers, [cleanup]);
});

test('U20: a name that another writer puts in front meanwhile is kept in its place', async t => {
  const api = await aFake(t);
  api.add(aWidget('w', [cleanup, audit]));
  api.faults.on({ method: 'PATCH' }, [meanwhile(api, ['x.example/first', cleanup, audit])]);
  await runCli(`unstick widget/w --finalizer ${cleanup} -y --wait=false`, { api });
  assert.deepEqual(sentLists(api), [[audit], ['x.example/first', audit]]);
  assert.deepEqual(api.get('widgets', 'batch', 'w')?.metadata.finalizers, ['x.example/first', audit]);
});

test('U21: a name that its controller removes meanwhile is not written back', async t => {
  const api = await aFake(t);
  api.add(aWidget('w', [cleanup, audit]));
  api.faults.on({ method: 'PATCH' }, [meanwhile(api, [cleanup])]);
  const { code, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual(sentLists(api), [[audit], []]);
});

const wroteBack = (manager: string) => [
  {
    manager,
    operation: 'Update',
    apiVersion: 'example.com/v1',
    time: apiTime(at('1s ago')),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:finalizers': { '.': {}, [`v:"${cleanup}"`]: {} } } },
  },
];

/** The patch is answered as done, and its controller writes the name back before anybody could look. */
const putBack =
  (api: FakeApi, name: string): Fault =>
  async () => {
    const before = api.get('widgets', 'batch', name) ?? assert.fail(`no ${name}`);
    api.update('widgets', 'batch', name, object =>
      withMetadata(object, { managedFields: wroteBack('widget-operator') }),
    );
    return json(200, withMetadata(before, { finalizers: undefined }));
  };
const cameBack =
  /^widget\.example\.com\/w is still there: example\.com\/cleanup came back, written by widget-operator\./m;

test('U08: a finalizer that its controller puts back at once is told with its writer: exit 2, one patch, no loop', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  api.faults.on({ method: 'PATCH' }, putBack(api, 'w'));
  const { code, stdout, stderr, ms } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, cameBack);
  assert.doesNotMatch(stdout, /deleted from/);
  assert.equal(patches(api).length, 1);
  assert.ok(ms < 20_000, `${ms} ms`);
});

test('U08: what should have followed does not follow, and that is told too', async t => {
  const api = await aFake(t);
  const owner = anObject('example.com/v1', 'Widget', 'owner')
    .deletingSince('1h ago')
    .finalizers(['foregroundDeletion']);
  api.add(owner, aWidget('w').ownedBy(owner));
  api.faults.on({ method: 'PATCH' }, putBack(api, 'w'));
  const { code, stderr } = await runCli(`unstick widget/owner --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, cameBack);
  assert.match(stderr, /widget\.example\.com\/owner is still there: /);
});

test('U08: an answer of 200 that still shows the finalizer is no success', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  api.faults.on({ method: 'PATCH' }, async () => json(200, api.get('widgets', 'batch', 'w')));
  const { code, stdout, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^widget\.example\.com\/w not changed: .*the list still has example\.com\/cleanup$/m);
  assert.doesNotMatch(stdout, /removed/);
  assert.equal(patches(api).length, 1);
});

// --- answers that go wrong -------------------------------------------------------------------------------------------------

test('a server error at a patch is told for its object, and the others go', async t => {
  const api = await aFake(t);
  api.add(aWidget('error'), aWidget('fine'));
  api.faults.on({ method: 'PATCH', name: 'error' }, internalError());
  const { code, stderr } = await runCli(`unstick widgets --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^widget\.example\.com\/error .*Error from server \(InternalError\)/m);
  assert.match(stderr, /^1 object freed and gone, 1 failed/m);
  assert.deepEqual(api.names('widgets'), ['error']);
});

for (const protocol of ['h2', 'http/1.1'] as const) {
  test(`a connection that breaks once does not end the run (${protocol}): the server is there, and the other objects go`, async t => {
    const api = await anyFake(t, { protocol });
    api.addKind(aKind('example.com/v1', 'Widget', 'widgets'), ...evidenceKinds);
    api.add(...Array.from({ length: 9 }, (_unused, i) => aWidget(`w${i}`)));
    api.faults.on({ method: 'PATCH', name: 'w3' }, [reset('before')]);
    const { stderr } = await runCli(`unstick widgets --finalizer ${cleanup} -y --concurrency 2`, { api });
    assert.doesNotMatch(stderr, /the server cannot be reached/);
    assert.ok(api.names('widgets').length <= 1, stderr);
  });
}

test('a throttled patch is sent again, with the same version', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  api.faults.on({ method: 'PATCH' }, [tooManyRequests(), tooManyRequests()]);
  const { code, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 0, stderr);
  assert.equal(new Set(sentVersions(api)).size, 1);
});

for (const when of ['before', 'after'] as const) {
  test(`a connection that breaks ${when} the patch has its effect: it is sent again, and told as ours`, async t => {
    const api = await aFake(t);
    api.add(aWidget('w', [cleanup, audit]));
    api.faults.on({ method: 'PATCH' }, [reset(when)]);
    const { stdout, code } = await runCli(`unstick widget/w --finalizer ${cleanup} -y --timeout 2s`, { api });
    assert.deepEqual(api.get('widgets', 'batch', 'w')?.metadata.finalizers, [audit]);
    assert.match(stdout, /^widget\.example\.com\/w finalizers removed: example\.com\/cleanup$/m);
    assert.equal(code, 2, 'audit holds it still');
  });
}

test('a login that ends in the middle stops the rest, which is named', async t => {
  const api = await aFake(t);
  api.add(...Array.from({ length: 8 }, (_unused, i) => aWidget(`w${i}`)));
  api.faults.on({ method: 'PATCH' }, unauthorized());
  const { code, stderr } = await runCli(`unstick widgets --finalizer ${cleanup} -y --concurrency 1`, { api });
  assert.notEqual(code, 0);
  assert.match(stderr, /Unauthorized/);
  assert.ok(new Set(patches(api).map(({ name }) => name)).size === 1, 'one object was tried');
  assert.equal(api.names('widgets').length, 8);
});

const denial = 'admission webhook "guard.example.com" denied the request: finalizers are kept';
const aGuard = () => ({
  ...anObject('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'guard').build(),
  webhooks: [
    {
      name: 'guard.example.com',
      failurePolicy: 'Fail',
      clientConfig: { service: { namespace: 'ops', name: 'guard' } },
      rules: [{ operations: ['UPDATE'], apiGroups: ['example.com'], resources: ['widgets'] }],
    },
  ],
});

test('U10: a webhook that denies is named with its configuration, the object is not changed, the others go', async t => {
  const api = await aFake(t);
  api.add(aWidget('denied'), aWidget('fine'), aGuard());
  api.add({
    ...anObject('discovery.k8s.io/v1', 'EndpointSlice', 'guard-1')
      .in('ops')
      .labelled({ 'kubernetes.io/service-name': 'guard' })
      .build(),
    endpoints: [{ conditions: { ready: true } }],
  } as never);
  api.faults.on({ method: 'PATCH', name: 'denied' }, refusing(403, 'Forbidden', denial));
  const { code, stderr } = await runCli(`unstick widgets --finalizer ${cleanup} -y`, { api });
  assert.equal(code, 2, stderr);
  assert.match(
    stderr,
    /^widget\.example\.com\/denied not changed: Error from server \(Forbidden\): admission webhook "guard\.example\.com" denied/m,
  );
  assert.match(
    stderr,
    /webhook guard\.example\.com \(validatingwebhookconfiguration\/guard\) denies the change/,
  );
  assert.deepEqual(api.names('widgets'), ['denied']);
});

test('U11: a webhook without endpoints is told before anything is sent', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'), aGuard());
  const { stdout, stderr } = await runCli('unstick', { api });
  assert.match(stdout + stderr, /validatingwebhookconfiguration\/guard/);
  assert.match(stdout + stderr, /ops\/guard/);
  assert.deepEqual(api.log.writes(), []);
});

// --- the scan --------------------------------------------------------------------------------------------------------------

test('a scan on no terminal shows what is stuck and what would free it, changes nothing and exits 0', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'), aQueue('q'), aJob('fine').complete('1d ago'));
  const { code, stdout, stderr } = await runCli('unstick', { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /widget\.example\.com\/w +example\.com\/cleanup +no controller \S+ it was found/);
  assert.match(stdout, /scaledjob\.keda\.sh\/q +finalizer\.keda\.sh +controller gone: no KEDA runs here/);
  assert.match(
    stdout,
    /kubectl jobctl unstick scaledjob\.keda\.sh\/q -n batch --finalizer finalizer\.keda\.sh/,
  );
  assert.doesNotMatch(stdout, /job\.batch\/fine/);
  assert.deepEqual(api.log.writes(), []);
});

test('a scan with -y frees what is proven and nothing else', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'), aQueue('q'));
  const { code, stderr } = await runCli('unstick -y', { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual([api.names('widgets'), api.names('scaledjobs')], [['w'], []]);
});

test('a scan of nothing says so', async t => {
  const api = await aFake(t);
  api.add(aJob('fine').complete('1d ago'));
  const { code, stdout } = await runCli('unstick', { api });
  assert.equal(code, 0);
  assert.match(stdout, /^Nothing is stuck here\.$/m);
});

test('a scan fetches no object in full where metadata is enough', async t => {
  const api = await aFake(t);
  api.add(aJob('fine').complete('1d ago'), aWidget('w'));
  await runCli('unstick', { api });
  const full = api.log
    .all()
    .filter(
      ({ method, resource, name, headers }) =>
        method === 'GET' &&
        name === undefined &&
        ['jobs', 'pods', 'secrets', 'configmaps', 'widgets'].includes(resource ?? '') &&
        !String(headers.accept).includes('PartialObjectMetadata'),
    );
  assert.deepEqual(
    full.map(({ path }) => path),
    [],
  );
});

test('a kind that may not be listed is named as not readable, and the rest is looked at', async t => {
  const api = await aFake(t);
  api.rights.deny('list', 'secrets');
  api.add(aWidget('w'));
  const { code, stdout, stderr } = await runCli('unstick', { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /widget\.example\.com\/w/);
  assert.match(stdout + stderr, /secrets/);
});

test('unknown is not absent: where Leases may not be listed, no controller is called gone and -y frees nothing of it', async t => {
  for (const resource of ['leases', 'deployments']) {
    const api = await aFake(t);
    api.rights.deny('list', resource);
    api.add(aQueue('q'));
    const { code, stdout, stderr } = await runCli('unstick -y', { api });
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, new RegExp(`whether KEDA runs cannot be told: ${resource} cannot be read`));
    assert.deepEqual(api.log.writes(), []);
  }
});

const aLease = (renewed: string) =>
  anObject('coordination.k8s.io/v1', 'Lease', 'operator.keda.sh')
    .in('keda')
    .withSpec({ holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: at(renewed).toISOString() });
const anOperator = (ready: number) =>
  anObject('apps/v1', 'Deployment', 'keda-operator')
    .in('keda')
    .withSpec({ replicas: 1 })
    .withStatus(ready === 0 ? {} : { readyReplicas: ready });

for (const [about, evidence, says, frees] of [
  [
    'whose Lease is renewed',
    aLease('3s ago'),
    /controller alive: lease keda\/operator\.keda\.sh renewed 3s ago/,
    false,
  ],
  [
    'whose Lease is old',
    aLease('9d ago'),
    /no KEDA runs here; lease keda\/operator\.keda\.sh was last renewed 9d ago/,
    true,
  ],
  [
    'whose Deployment is ready',
    anOperator(1),
    /controller alive: deployment\.apps\/keda-operator in keda has 1 of 1 ready/,
    false,
  ],
  [
    'whose Deployment has no Pod ready',
    anOperator(0),
    /does not run: deployment\.apps\/keda-operator in keda has 0 of 1 ready/,
    false,
  ],
] as const) {
  test(`U07: a finalizer ${about} is ${frees ? 'freed' : 'left'} by -y, and why is said`, async t => {
    const api = await aFake(t);
    api.add(aQueue('q'), evidence);
    const { code, stdout, stderr } = await runCli('unstick -y', { api });
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, says);
    assert.equal(patches(api).length, frees ? 1 : 0);
  });
}

test('U27: a controller that is alive and failing is told with its last warning', async t => {
  const api = await aFake(t);
  const [made] = api.add(aQueue('q'), anOperator(1));
  api.add({
    ...anObject('v1', 'Event', 'q.1').build(),
    type: 'Warning',
    reason: 'ScalerFailed',
    message: 'no route to queue',
    involvedObject: { uid: made?.metadata.uid },
    lastTimestamp: apiTime(at('1m ago')),
  } as never);
  const { stdout } = await runCli('unstick', { api });
  assert.match(stdout, /1 of 1 ready; last warning since the deletion: ScalerFailed: no route to queue/);
});

// --- what a script reads ---------------------------------------------------------------------------------------------------

test('-o json of a scan has each object with its holds, their evidence, their text and their verdict', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  const { code, stdout } = await runCli('unstick -o json', { api });
  const document = JSON.parse(stdout);
  assert.deepEqual([code, document.exitCode, document.kind, document.verb], [0, 0, 'Result', 'unstick']);
  const [finding] = document.findings;
  assert.deepEqual([finding.name, finding.verdict, finding.namespace], ['w', 'could-be-freed', 'batch']);
  const [hold] = finding.holds ?? finding.seen?.holds ?? [];
  assert.deepEqual(
    [hold.finalizer, hold.cause, hold.allowance, hold.loss],
    [cleanup, 'controller-not-found', 'if-named', 'outside'],
  );
  assert.match(JSON.stringify(hold), /no controller \S+ it was found/);
  assert.deepEqual(document.actions, []);
});

test('-o json of a removal has what was removed and what was kept: the way back', async t => {
  const api = await aFake(t);
  api.add(aWidget('w', [audit, cleanup]));
  const { code, stdout } = await runCli(`unstick widget/w --finalizer ${cleanup} -y -o json`, { api });
  const document = JSON.parse(stdout);
  assert.deepEqual([code, document.exitCode], [2, 2]);
  const [removal, stays] = document.actions;
  assert.deepEqual(
    [removal.name, removal.list, removal.removed, removal.kept, removal.state],
    ['w', 'metadata.finalizers', [cleanup], [audit], 'removed'],
  );
  assert.deepEqual(
    [stays.state, stays.code, stays.facts],
    ['still-there', 'still-held', { finalizers: audit }],
  );
  assert.equal(document.summary.stillThere, 1);
});

test('-o json of a refused patch has the problem and who is to blame', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'), aGuard());
  api.faults.on({ method: 'PATCH' }, refusing(403, 'Forbidden', denial));
  const { stdout } = await runCli(`unstick widget/w --finalizer ${cleanup} -y -o json`, { api });
  const [action] = JSON.parse(stdout).actions;
  assert.deepEqual(
    [action.state, action.problem.code, action.problem.rejection, action.blame[0].configuration],
    [
      'failed',
      'forbidden',
      { by: 'webhook', name: 'guard.example.com' },
      'validatingwebhookconfiguration/guard',
    ],
  );
});

test('-o name prints each object that was changed, one a line, and nothing else', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'), aWidget('held', [cleanup, audit]), aWidget('other', [audit]), aWidget('refused'));
  api.faults.on({ method: 'PATCH', name: 'refused' }, refusing(403, 'Forbidden', denial));
  const { stdout } = await runCli(`unstick widgets --finalizer ${cleanup} -y -o name`, { api });
  assert.deepEqual(stdout.trim().split('\n').sort(), ['widget.example.com/held', 'widget.example.com/w']);
});

test('a dry run prints a digest, and --confirm goes on with exactly that plan', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  const dry = await runCli(`unstick widget/w --finalizer ${cleanup} --dry-run`, { api });
  const [, digest = ''] = /--confirm ([0-9a-f]{8})/.exec(dry.stdout) ?? [];
  assert.deepEqual([dry.code, api.log.writes()], [0, []]);
  const other = await runCli(`unstick widget/w --finalizer ${cleanup} --confirm 00000000`, { api });
  assert.deepEqual([other.code, api.log.writes()], [3, []]);
  const done = await runCli(`unstick widget/w --finalizer ${cleanup} --confirm ${digest}`, { api });
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(api.names('widgets'), []);
});

test('a server dry run asks the server about each removal and changes nothing', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  const { code, stdout, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup} --dry-run=server`, {
    api,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /finalizers removed: example\.com\/cleanup \(server dry run\)/);
  assert.deepEqual(
    patches(api).map(({ query }) => query['dryRun']),
    ['All'],
  );
  assert.deepEqual(api.get('widgets', 'batch', 'w')?.metadata.finalizers, [cleanup]);
});

test('without a terminal and without -y nothing is removed: exit 3, with the digest to go on with', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  const { code, stderr } = await runCli(`unstick widget/w --finalizer ${cleanup}`, { api });
  assert.equal(code, 3);
  assert.match(stderr, /no terminal to ask on[\s\S]*--confirm [0-9a-f]{8}/);
  assert.deepEqual(api.log.writes(), []);
});

test('an object that was named without its finalizer is refused, and the command that would free it is shown', async t => {
  const api = await aFake(t);
  api.add(aWidget('w'));
  const { code, stderr } = await runCli('unstick widget/w -y', { api });
  assert.equal(code, 3, stderr);
  assert.match(
    stderr,
    /kubectl jobctl unstick widget\.example\.com\/w -n batch --finalizer example\.com\/cleanup/,
  );
  assert.match(stderr, /Name the finalizer that is to go/);
  assert.deepEqual(api.log.writes(), []);
});

test('one word that is no kind is a Job in this namespace, never one of all namespaces', async t => {
  const api = await aFake(t);
  api.add(aJob('etl').in('other').deletingSince('1h ago').finalizers([audit]));
  const { code, stderr } = await runCli(`unstick etl -A --finalizer ${audit} -y`, { api });
  assert.equal(code, 1);
  assert.match(stderr, /a resource cannot be retrieved by name across all namespaces/);
  assert.deepEqual(api.log.writes(), []);
});

// --- at a terminal ---------------------------------------------------------------------------------------------------------

const choice = /Free which of these\?/;

test('a scan at a terminal is a choice in which nothing is ticked at first: enter alone is exit 5', async t => {
  const api = await aFake(t);
  api.add(aQueue('q1'), aQueue('q2'));
  const terminal = runInTerminal('unstick', { api, columns: 160 });
  await terminal.waitFor(/Free which of these\?[\s\S]*scaledjob\.keda\.sh\/q2/);
  terminal.type(enter);
  assert.equal(await terminal.ended, 5);
  assert.match(terminal.screen(), /nothing was chosen, nothing was changed/);
  assert.deepEqual(api.log.writes(), []);
});

test('space picks one, enter goes on, y frees it; the others stay', async t => {
  const api = await aFake(t);
  api.add(aQueue('q1'), aQueue('q2'));
  const terminal = runInTerminal('unstick', { api, columns: 160 });
  await terminal.waitFor(choice);
  terminal.type(down);
  terminal.type(space);
  terminal.type(enter);
  await terminal.waitFor(/Free 1 ScaledJob of finalizer\.keda\.sh in namespace batch of fake\? .*\(y\/N\)/);
  terminal.type(`y${enter}`);
  assert.equal(await terminal.ended, 0, terminal.screen());
  assert.deepEqual(api.names('scaledjobs'), ['q1']);
});

for (const [typed, code] of [
  ['y', 5],
  ['', 5],
  ['batch', 0],
] as const) {
  test(`where something may be left behind, "${typed}" at the question for the namespace ends with ${code}`, async t => {
    const api = await aFake(t);
    api.add(aWidget('w'));
    const terminal = runInTerminal('unstick', { api, columns: 160 });
    await terminal.waitFor(choice);
    terminal.type(space);
    terminal.type(enter);
    await terminal.waitFor(/something outside of the cluster may be left behind\)[\s\S]*Type batch:/);
    terminal.type(typed + enter);
    assert.equal(await terminal.ended, code, terminal.screen());
    assert.deepEqual(api.names('widgets'), code === 0 ? [] : ['w']);
  });
}

test('Ctrl-C at the choice is a no', async t => {
  const api = await aFake(t);
  api.add(aQueue('q'));
  const terminal = runInTerminal('unstick', { api });
  await terminal.waitFor(choice);
  terminal.type('\x03');
  assert.equal(await terminal.ended, 5);
  assert.deepEqual(api.log.writes(), []);
});

test('where nothing can be freed there is no choice', async t => {
  const api = await aFake(t);
  api.add(aQueue('q'), anOperator(1));
  const terminal = runInTerminal('unstick', { api, columns: 160 });
  assert.equal(await terminal.ended, 0);
  assert.doesNotMatch(terminal.screen(), choice);
  assert.match(terminal.screen(), /controller alive/);
});

test('control characters from the cluster do not reach the terminal', async t => {
  const api = await aFake(t);
  const evil = 'x\u001b[2J\u001b]0;title\u0007\u202e\r\ny';
  api.add(aWidget('w', [`example.com/${evil}`]));
  api.faults.on({ method: 'PATCH' }, refusing(422, `Bad${evil}`, `no ${evil}`));
  for (const words of [
    'unstick',
    'unstick -o wide',
    'unstick --all-finalizers -y',
    'unstick --all-finalizers --dry-run',
  ]) {
    const { stdout, stderr } = await runCli(words, { api });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});
