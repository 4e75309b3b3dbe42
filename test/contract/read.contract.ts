// What can be read: pages, metadata, discovery, rights, wording, warnings, the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel, type KubeObject } from '../cluster/admin.ts';
import { configMapPath, createConfigMap } from '../cluster/state/finalizers.ts';
import { createFinishedJob } from '../cluster/state/jobs.ts';
import { connectAs, type PlaceOf, refusalOf, releaseAfter, sceneOf } from './place.ts';

interface Page {
  readonly metadata: { readonly continue?: string; readonly resourceVersion: string };
  readonly items: readonly KubeObject[];
}

const jobsOnly = [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'delete'] }];

export function askAboutReads(placeOf: PlaceOf): void {
  test('P12: a list of three pages loses nothing and repeats nothing', async t => {
    const { admin, namespace, reader, kind } = await sceneOf(t, placeOf);
    const names = Array.from({ length: 1100 }, (_, at) => `m-${String(at).padStart(4, '0')}`);
    await inParallel(names, name => createConfigMap(admin, { name, namespace, labels: { of: 'many' } }));
    const read = await reader.listMetadata(await kind('', 'ConfigMap'), {
      namespace,
      labelSelector: 'of=many',
    });
    assert.ok(read.state === 'read');
    assert.deepEqual(
      read.value.map(({ ref }) => ref.name),
      names,
    );
  });

  test('pages are of one moment: what goes in between is still shown, what comes is not', async t => {
    const { admin, namespace } = await sceneOf(t, placeOf);
    for (const name of ['a', 'b', 'c'])
      await createConfigMap(admin, { name, namespace, labels: { of: 'few' } });
    const path = `${configMapPath(namespace)}?limit=1&labelSelector=of%3Dfew`;
    const first = await admin.request<Page>('GET', path);
    await admin.delete(configMapPath(namespace, 'b'));
    await createConfigMap(admin, { name: 'd', namespace, labels: { of: 'few' } });
    const seen = [first];
    for (let next = first.metadata.continue; next !== undefined; next = seen.at(-1)?.metadata.continue) {
      seen.push(await admin.request<Page>('GET', `${path}&continue=${encodeURIComponent(next)}`));
    }
    assert.deepEqual(
      seen.flatMap(({ items }) => items.map(({ metadata }) => metadata.name)),
      ['a', 'b', 'c'],
    );
    assert.deepEqual([...new Set(seen.map(({ metadata }) => metadata.resourceVersion))].length, 1);
  });

  test('a list of metadata has what the plan needs and no more', async t => {
    const { admin, namespace, reader, kind } = await sceneOf(t, placeOf);
    const owner = await createConfigMap(admin, { name: 'owner', namespace });
    const made = await createConfigMap(admin, { name: 'm', namespace, owner, finalizers: ['example.com/x'] });
    releaseAfter(t, admin, configMapPath(namespace, 'm'));
    const query = { namespace, fieldSelector: 'metadata.name=m' };
    const read = await reader.listMetadata(await kind('', 'ConfigMap'), query);
    assert.ok(read.state === 'read');
    const [found, ...others] = read.value;
    assert.equal(others.length, 0);
    assert.equal(found?.ref.uid, made.metadata.uid);
    assert.equal(found.ref.resourceVersion, made.metadata.resourceVersion);
    assert.deepEqual(
      found.owners.map(({ uid }) => uid),
      [owner.metadata.uid],
    );
    assert.deepEqual(found.finalizers, ['example.com/x']);
  });

  test('label selectors: equality, sets, existence and their opposites', async t => {
    const { admin, namespace, reader, kind } = await sceneOf(t, placeOf);
    for (const [name, labels] of [
      ['one', { app: 'a', of: 'x' }],
      ['two', { app: 'b', of: 'x' }],
      ['three', { of: 'x', extra: '' }],
    ] as const) {
      await createConfigMap(admin, { name, namespace, labels });
    }
    const configMap = await kind('', 'ConfigMap');
    for (const [labelSelector, names] of [
      ['app=a', ['one']],
      ['of==x,app!=a', ['three', 'two']],
      ['app in (a, b)', ['one', 'two']],
      ['of=x,app notin (a)', ['three', 'two']],
      ['app', ['one', 'two']],
      ['of,!app', ['three']],
    ] as const) {
      const read = await reader.listMetadata(configMap, { namespace, labelSelector });
      assert.ok(read.state === 'read', labelSelector);
      assert.deepEqual(read.value.map(({ ref }) => ref.name).sort(), names, labelSelector);
    }
    const unknown = await reader.listMetadata(configMap, { namespace, fieldSelector: 'spec.colour=red' });
    assert.ok(unknown.state === 'unreadable');
    assert.equal(unknown.problem.code, 'invalid');
    assert.match(
      unknown.problem.text,
      /^Error from server \(BadRequest\): "spec\.colour" is not a known field selector: only "metadata\.name", "metadata\.namespace"$/,
    );
  });

  test('Jobs can be asked for by status.successful', async t => {
    const { admin, namespace, reader } = await sceneOf(t, placeOf);
    await createFinishedJob(admin, { name: 'good', namespace, ended: '1h' });
    await createFinishedJob(admin, { name: 'bad', namespace, ended: '1h', outcome: 'failed' });
    const read = await reader.listJobs({ namespace, fieldSelector: 'status.successful=1' });
    assert.ok(read.state === 'read');
    assert.deepEqual(
      read.value.map(({ ref, state }) => `${ref.name} ${state.is}`),
      ['good complete'],
    );
  });

  test('what is not there is absent, and the server names it as kubectl shows it', async t => {
    const { admin, namespace, reader, kind } = await sceneOf(t, placeOf);
    assert.equal((await reader.getMetadata(await kind('batch', 'Job'), 'nope', namespace)).state, 'absent');
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs/nope`;
    const refused = await refusalOf(admin.get(path));
    assert.equal(refused.message, `GET ${path}: 404 jobs.batch "nope" not found`);
    const unserved = await refusalOf(admin.get('/apis/batch/v1/nopes'));
    assert.match(unserved.message, /404 the server could not find the requested resource$/);
  });

  test('discovery knows every kind with its short name, singular, scope and verbs', async t => {
    const { kind, customKind } = await sceneOf(t, placeOf);
    const group = await customKind();
    const words = async (...[of, name]: Parameters<typeof kind>) => {
      const { resource, singular, shortNames, namespaced, version } = await kind(of, name);
      return { resource, singular, shortNames, namespaced, version };
    };
    const v1 = { namespaced: true, version: 'v1' };
    assert.deepEqual(await words('', 'Pod'), {
      resource: 'pods',
      singular: 'pod',
      shortNames: ['po'],
      ...v1,
    });
    assert.deepEqual(await words('batch', 'Job'), {
      resource: 'jobs',
      singular: 'job',
      shortNames: [],
      ...v1,
    });
    assert.deepEqual(await words('batch', 'CronJob'), {
      resource: 'cronjobs',
      singular: 'cronjob',
      shortNames: ['cj'],
      ...v1,
    });
    assert.deepEqual((await words('', 'PersistentVolumeClaim')).shortNames, ['pvc']);
    assert.deepEqual(await words(group, 'Widget'), {
      resource: 'widgets',
      singular: 'widget',
      shortNames: ['wdg'],
      ...v1,
    });
    const namespace = await kind('', 'Namespace');
    assert.equal(namespace.namespaced, false);
    assert.ok(['get', 'list', 'delete', 'patch'].every(verb => namespace.verbs.includes(verb)));
    assert.ok((await kind('batch', 'Job')).categories.includes('all'));
  });

  test('C14: an ordinary user is told what it may do', async t => {
    const scene = await sceneOf(t, placeOf);
    const { reader } = connectAs(t, await scene.ordinaryUser(jobsOnly), scene.namespace);
    const [job, pod] = [await scene.kind('batch', 'Job'), await scene.kind('', 'Pod')];
    assert.equal(await reader.mayI('delete', { kind: job, namespace: scene.namespace }), 'yes');
    assert.equal(await reader.mayI('delete', { kind: pod, namespace: scene.namespace }), 'no');
    assert.equal(await reader.mayI('patch', { kind: job, namespace: scene.namespace }), 'no');
    assert.equal(await reader.mayI('list', { kind: job }), 'no');
  });

  test('C14: an object that may not be read is unreadable, not absent: it may be there', async t => {
    const scene = await sceneOf(t, placeOf);
    const { namespace } = scene;
    const { reader } = connectAs(t, await scene.ordinaryUser(jobsOnly), namespace);
    for (const read of [
      await reader.getPod('anything', namespace),
      await reader.getMetadata(await scene.kind('', 'Pod'), 'anything', namespace),
    ]) {
      assert.ok(read.state === 'unreadable');
      assert.equal(read.problem.code, 'forbidden');
    }
  });

  test('C10: what is forbidden is told in one line, in the words that kubectl shows', async t => {
    const scene = await sceneOf(t, placeOf);
    const { namespace } = scene;
    const { reader } = connectAs(t, await scene.ordinaryUser(jobsOnly), namespace);
    assert.equal((await reader.listJobs({ namespace })).state, 'read');
    const everywhere = await reader.listJobs({});
    assert.ok(everywhere.state === 'unreadable');
    assert.equal(everywhere.problem.code, 'forbidden');
    assert.match(
      everywhere.problem.text,
      /^Error from server \(Forbidden\): jobs\.batch is forbidden: User "\S+" cannot list resource "jobs" in API group "batch" at the cluster scope$/,
    );
    const pods = await reader.listPods({ namespace });
    assert.ok(pods.state === 'unreadable');
    assert.match(
      pods.problem.text,
      new RegExp(`pods is forbidden: .* in API group "" in the namespace "${namespace}"$`),
    );
  });

  test('a warning of the server is passed on once', async t => {
    const { deprecatedKind, kind, reader, namespace, warnings } = await sceneOf(t, placeOf);
    await deprecatedKind();
    const endpoints = await kind('', 'Endpoints');
    for (let times = 0; times < 3; times++) await reader.listMetadata(endpoints, { namespace });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^v1 Endpoints is deprecated/);
  });

  test("the clock is the server's", async t => {
    const { reader, namespace } = await sceneOf(t, placeOf);
    await reader.listJobs({ namespace });
    assert.ok(Math.abs(reader.now().getTime() - Date.now()) < 5000);
  });
}
