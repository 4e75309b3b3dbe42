// What completion offers: live names of those objects that the verb is for. `_` is the word that has not been begun.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aKind } from '../support/fake/kinds.ts';
import { aJob, anObject } from '../support/world.ts';
import { aFake, completed, furnish, requests } from './completing.ts';

for (const [line, choices] of [
  ['delete job _', ['broken', 'done', 'etl', 'going', ':4']],
  ['delete jobs.batch d', ['done', ':4']],
  ['delete job/', ['job/broken', 'job/done', 'job/etl', 'job/going', ':4']],
  ['delete po/pod-', ['po/pod-1', 'po/pod-2', ':4']],
  ['delete job done etl _', ['broken', 'going', ':4']],
  ['delete job/etl jobs/', ['jobs/broken', 'jobs/done', 'jobs/going', ':4']],
  ['delete jobs,pods _', ['broken', 'done', 'etl', 'going', 'pod-1', 'pod-2', ':4']],
  ['delete job -n other _', ['elsewhere', ':4']],
  ['unstick job _', ['going', ':4']],
  ['unstick pod/', ['pod/pod-2', ':4']],
  ['stop job _', ['etl', 'going', ':4']],
  ['stop cronjob n', ['nightly', ':4']],
  ['stop pod _', [':4']],
  ['resume cronjob _', ['sync', ':4']],
  ['resume scaledjob/', ['scaledjob/queue', ':4']],
  ['resume job _', ['broken', ':4']],
  ['prune --owner cronjob/n', ['cronjob/nightly', ':4']],
  ['prune -A --owner job/else', ['job/elsewhere', ':4']],
] as const) {
  test(`“${line}” offers ${choices.slice(0, -1).join(' ') || 'nothing'}`, async t => {
    const api = await aFake(t);
    furnish(api);
    assert.deepEqual(await completed(line, { api }), choices);
  });
}

test('a bare word is a kind or a Job that the verb is for; a Job whose name spells a kind is not offered', async t => {
  const api = await aFake(t);
  furnish(api);
  api.add(aJob('pods').running());
  assert.deepEqual(await completed('resume _', { api }), ['cronjobs', 'jobs', 'scaledjobs', 'broken', ':4']);
  assert.deepEqual(await completed('stop _', { api }), [
    'cronjobs',
    'jobs',
    'scaledjobs',
    'etl',
    'going',
    ':4',
  ]);
  const all = await completed('delete _', { api });
  for (const word of ['configmaps', 'cronjobs', 'done']) assert.ok(all.includes(word), word);
  assert.equal(all.filter(word => word === 'pods').length, 1);
  assert.ok(!all.includes('selfsubjectaccessreviews'), 'it cannot be deleted');
});

test('kinds are what the server serves, custom ones too; where a word means another kind, with the group', async t => {
  const api = await aFake(t);
  api.addKind(
    aKind('batch.volcano.sh/v1alpha1', 'Job', 'jobs'),
    aKind('example.com/v1', 'Widget', 'widgets'),
  );
  api.add(anObject('example.com/v1', 'Widget', 'w-1'));
  assert.deepEqual(await completed('delete wid', { api }), ['widgets', ':4']);
  assert.deepEqual(await completed('delete job', { api }), ['jobs', 'jobs.batch.volcano.sh', ':4']);
  assert.deepEqual(await completed('delete job/a job', { api }), ['job/', 'jobs.batch.volcano.sh/', ':6']);
  assert.deepEqual(await completed('delete widget _', { api }), ['w-1', ':4']);
});

test('names of usual kinds take one request, for metadata alone; of others, discovery as well', async t => {
  const api = await aFake(t);
  furnish(api);
  await completed('delete job _', { api });
  assert.deepEqual(requests(api), ['/apis/batch/v1/namespaces/batch/jobs']);
  assert.match(String(api.log.all()[0]?.headers['accept']), /PartialObjectMetadataList/);
  api.log.clear();
  await completed('delete secret _', { api });
  assert.deepEqual(requests(api).sort(), ['/api', '/api/v1/namespaces/batch/secrets', '/apis']);
});

test('namespaces are offered for -n in each of its spellings', async t => {
  const api = await aFake(t);
  for (const name of ['batch', 'billing', 'ops']) api.add(anObject('v1', 'Namespace', name));
  assert.deepEqual(await completed('status -n _', { api }), ['batch', 'billing', 'ops', ':4']);
  assert.deepEqual(await completed('status -nb', { api }), ['-nbatch', '-nbilling', ':4']);
  assert.deepEqual(await completed('status --namespace=bi', { api }), ['billing', ':4']);
});

test('contexts, clusters and users are those of the kubeconfig that the words name, and nobody is asked', async t => {
  const api = await aFake(t);
  const kubeconfig = api.kubeconfig({ context: 'prod', user: 'anna' }, { context: 'dev', user: '$(reboot)' });
  assert.deepEqual(await completed('status --context _', { kubeconfig }), ['prod', 'dev', ':4']);
  assert.deepEqual(await completed('status --cluster p', { kubeconfig }), ['prod', ':4']);
  assert.deepEqual(await completed('status --user _', { kubeconfig }), ['anna', ':4']);
  assert.deepEqual(await completed(`status --kubeconfig ${kubeconfig} --context d`, { kubeconfig: null }), [
    'dev',
    ':4',
  ]);
  assert.deepEqual(requests(api), []);
});

test('the connection flags so far say which cluster is asked', async t => {
  const [prod, dev] = [await aFake(t), await aFake(t)];
  dev.add(aJob('etl').in('work').running());
  const kubeconfig = prod.kubeconfig({ context: 'prod' }, { context: 'dev', at: dev, namespace: 'work' });
  assert.deepEqual(await completed('stop --context dev job/', { kubeconfig }), ['job/etl', ':4']);
  assert.deepEqual(requests(prod), []);
});

for (const line of [
  '_',
  'delete --',
  'delete -o _',
  'prune _',
  'delete --dry-run=',
  'completion _',
  'stop --save _',
  'delete -A job _',
  'delete -l app=web job _',
]) {
  test(`“${line}” is answered without a request, also where there is no kubeconfig`, async t => {
    const api = await aFake(t);
    assert.notDeepEqual(await completed(line, { api }), []);
    assert.deepEqual(requests(api), []);
    const nowhere = await completed(line, { kubeconfig: '/nowhere' });
    assert.match(nowhere.at(-1) ?? '', /^:\d+$/);
  });
}
