// What `unstick` writes, to the byte, and what becomes of that when others write to the same object.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, collection, type Fields, inParallel, type KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
  type Definition,
} from '../cluster/state/custom-resources.ts';
import { configMapPath, createConfigMap, releaseObject, untilGone } from '../cluster/state/finalizers.ts';
import { createPod, podPath } from '../cluster/state/pods.ts';
import type { Rule } from '../cluster/state/roles.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { until } from '../cluster/until.ts';
import { runInTerminal } from '../support/terminal.ts';
import { aPlace } from './operator.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const rules: readonly Rule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'patch'] }];
const everywhere = { rules, everywhere: true };
const [ours, keep, other] = ['writes.test/ours', 'writes.test/keep', 'writes.test/other'];
const yes = '--stuck-for 0s --yes';
const writing = ['create', 'update', 'patch', 'delete', 'deletecollection'];

const finalizersOf = ({ metadata }: KubeObject): readonly string[] => metadata.finalizers ?? [];

async function aHeldConfigMap(
  t: TestContext,
  namespace: string,
  finalizers: readonly string[],
  name = 'held',
): Promise<string> {
  const path = configMapPath(namespace, name);
  await createConfigMap(admin, { namespace, name, finalizers });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path);
  return path;
}

async function widgetsOf(t: TestContext, namespace: string): Promise<Definition> {
  const definition = await createDefinition(admin, {
    group: `${namespace}.writes.test`,
    kind: 'Widget',
    plural: 'widgets',
  });
  t.after(() => admin.delete(definition.path));
  return definition;
}

/** What this user wrote since the trail was begun, but for questions about its rights. */
async function writesOf(
  trail: Awaited<ReturnType<typeof auditTrail>>,
  user: string,
  count: number,
): Promise<{ verb: string; name: string | undefined; code: number; body: Fields | undefined }[]> {
  await trail.atLeast(count, { user, verbs: ['patch'] });
  const events = await trail.events({ user, verbs: writing });
  return events
    .filter(({ objectRef }) => objectRef?.resource !== 'selfsubjectaccessreviews')
    .map(({ verb, objectRef, code, requestObject }) => ({
      verb,
      name: objectRef?.name,
      code,
      body: requestObject,
    }));
}

for (const [left, what] of [
  [[], 'the only finalizer, so the object goes'],
  [[keep], 'one of two, so the other stays'],
] as const) {
  test(`U19: the same command works on a custom resource and on a Pod: ${what}; one merge patch each, and nothing else is written`, async t => {
    const { namespace, user, run: jobctl } = await aPlace(t, plane, everywhere);
    const definition = await widgetsOf(t, namespace);
    const finalizers = [ours, ...left];
    const [widget, pod] = [customResourcePath(definition, namespace, 'w'), podPath(namespace, 'p')];
    await createCustomResource(admin, definition, { name: 'w', namespace, finalizers });
    await createPod(admin, { name: 'p', namespace, finalizers });
    const held = [];
    for (const path of [widget, pod]) {
      held.push(await deleteAndHold(admin, path));
      t.after(() => releaseObject(admin, path));
    }
    const trail = await auditTrail(plane);
    const done = await jobctl(`unstick widgets.${namespace}.writes.test/w pod/p --finalizer ${ours} ${yes}`);
    assert.match(done.stdout, new RegExp(`^widget\\S*/w finalizers removed: ${ours}$`, 'm'));
    assert.match(done.stdout, new RegExp(`^pod/p finalizers removed: ${ours}$`, 'm'));
    for (const path of [widget, pod]) {
      const now = await admin.find(path);
      assert.deepEqual(now && finalizersOf(now), left.length === 0 ? undefined : left, path);
    }
    assert.equal(done.code, left.length === 0 ? 0 : 2, done.stderr);
    if (left.length > 0) assert.match(done.stderr, new RegExp(`^pod/p is still there: .*${keep}`, 'm'));
    const writes = await writesOf(trail, user, 2);
    // a strategic patch is refused for a custom resource, and would not take a name off the list of a Pod
    writes.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? 1 : -1));
    const sent = writes.map(({ body }) => (body as Pick<KubeObject, 'metadata'>).metadata.resourceVersion);
    assert.deepEqual(
      writes,
      held.map(({ metadata }, at) => ({
        verb: 'patch',
        name: metadata.name,
        code: 200,
        body: { metadata: { finalizers: left, resourceVersion: sent[at] } },
      })),
    );
    // a controller may have written to the Pod since: pinned to no older version than that of its deletion
    for (const [at, { metadata }] of held.entries())
      assert.ok(Number(sent[at]) >= Number(metadata.resourceVersion), String(sent[at]));
  });
}

/** The preview stands and the question waits: whatever is done now was not seen by the plan. */
async function atTheQuestion(
  kubeconfig: string,
  words: string,
  meanwhile: () => Promise<unknown>,
  word: string,
) {
  const terminal = runInTerminal(words, { kubeconfig, columns: 200 });
  await terminal.waitFor(/\?.*\n?.*Type |\(y\/N\)/, 20_000);
  await meanwhile();
  terminal.type(`${word}\r`);
  const code = await terminal.ended;
  return { code, screen: terminal.screen() };
}

test('U20: another writer takes a name off the list and changes the object between our read and our write: 409, read again, and only ours goes', async t => {
  const { namespace, user, kubeconfig } = await aPlace(t, plane, everywhere);
  const path = await aHeldConfigMap(t, namespace, [keep, ours, other]);
  const trail = await auditTrail(plane);
  let between: KubeObject | undefined;
  const { code, screen } = await atTheQuestion(
    kubeconfig,
    `unstick configmap/held --finalizer ${ours} --stuck-for 0s`,
    async () => {
      // as a whole-list writer would do it; a name that is new is refused while the object is terminating
      await assert.rejects(
        admin.patch(path, { metadata: { finalizers: ['writes.test/x', keep, ours, other] } }),
        (error: unknown) =>
          error instanceof ApiFailure &&
          error.status === 422 &&
          /no new finalizers can be added/.test(error.message),
      );
      between = await admin.patch(path, {
        metadata: { finalizers: [keep, ours], annotations: { seen: 'yes' } },
      });
    },
    namespace,
  );
  const now = await admin.get(path);
  assert.deepEqual(finalizersOf(now), [keep], screen);
  assert.deepEqual(now.metadata.annotations, { seen: 'yes' });
  const writes = await writesOf(trail, user, 2);
  assert.deepEqual(
    writes.map(({ code: status, body }) => [
      status,
      (body?.['metadata'] as Fields | undefined)?.['finalizers'],
    ]),
    [
      [409, [keep, other]],
      [200, [keep]],
    ],
  );
  assert.deepEqual(writes[1]?.body, {
    metadata: { finalizers: [keep], resourceVersion: between?.metadata.resourceVersion },
  });
  assert.equal(code, 2, screen);
  assert.match(screen, new RegExp(`configmap/held is still there: .*${keep}`));
});

test('U21: ours was taken off meanwhile: nothing is written again, "was already free of it"', async t => {
  const { namespace, user, kubeconfig } = await aPlace(t, plane, everywhere);
  const path = await aHeldConfigMap(t, namespace, [keep, ours]);
  const trail = await auditTrail(plane);
  const { screen } = await atTheQuestion(
    kubeconfig,
    `unstick configmap/held --finalizer ${ours} --stuck-for 0s`,
    () => admin.patch(path, { metadata: { finalizers: [keep] } }),
    namespace,
  );
  assert.match(screen, new RegExp(`^configmap/held was already free of ${ours}$`, 'm'));
  assert.deepEqual(finalizersOf(await admin.get(path)), [keep]);
  const writes = await writesOf(trail, user, 1);
  assert.deepEqual(
    writes.map(({ verb, code }) => [verb, code]),
    [['patch', 409]],
  );
});

test('U21: the object went meanwhile, and its name is taken again: the new one is not touched; exit 0', async t => {
  const { namespace, user, kubeconfig } = await aPlace(t, plane, everywhere);
  const path = await aHeldConfigMap(t, namespace, [ours]);
  const trail = await auditTrail(plane);
  let anew: KubeObject | undefined;
  const { code, screen } = await atTheQuestion(
    kubeconfig,
    `unstick configmap/held --finalizer ${ours} --stuck-for 0s`,
    async () => {
      await releaseObject(admin, path);
      await untilGone(admin, path);
      anew = await createConfigMap(admin, { namespace, name: 'held', finalizers: [ours] });
    },
    namespace,
  );
  assert.deepEqual(await admin.get(path), anew, screen);
  assert.equal(code, 0, screen);
  assert.match(screen, /^configmap\/held was already gone$/m);
  const writes = await writesOf(trail, user, 1);
  assert.deepEqual(
    writes.map(({ verb, code: status }) => [verb, status]),
    [['patch', 409]],
  );
});

/** As a server before the rule would have stored it. */
async function store(key: string, object: object): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const body = JSON.stringify({ key: base64(key), value: base64(JSON.stringify(object)) });
  const answer = await fetch(`${plane.etcd}/v3/kv/put`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`${key}: ${answer.status} ${await answer.text()}`);
}

test('U22: an unqualified name that an old server has stored keeps ours from being removed; it is named, and both can be removed', async t => {
  const { namespace, run: jobctl } = await aPlace(t, plane, everywhere);
  const old = 'oldname.example';
  const path = `${collection('v1', 'serviceaccounts', namespace)}/old`;
  const draft = { apiVersion: 'v1', kind: 'ServiceAccount' };
  const refusal = /metadata.finalizers\[0\]: Invalid value: "oldname.example": name is neither a standard/;
  await assert.rejects(
    admin.create(collection('v1', 'serviceaccounts', namespace), {
      ...draft,
      metadata: { name: 'new', finalizers: [old, ours] },
    }),
    refusal,
    'this server stores no such name any more',
  );
  const metadata = { name: 'old', namespace, uid: randomUUID(), creationTimestamp: '2020-01-01T00:00:00Z' };
  await store(`/registry/serviceaccounts/${namespace}/old`, {
    ...draft,
    metadata: { ...metadata, finalizers: [old, ours] },
  });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path);

  const one = await jobctl(`unstick serviceaccount/old --finalizer ${ours} ${yes}`);
  assert.equal(one.code, 2, one.stderr);
  assert.match(one.stderr, /^serviceaccount\/old not changed: /m);
  assert.match(one.stderr, refusal);
  assert.match(
    one.stderr,
    /^ {2}"oldname.example", which would stay on the list, is not allowed there: remove both, --finalizer oldname.example too$/m,
  );
  assert.doesNotMatch(one.stdout, /removed|deleted/);
  assert.deepEqual(finalizersOf(await admin.get(path)), [old, ours]);

  const both = await jobctl(`unstick serviceaccount/old --finalizer ${ours} --finalizer ${old} ${yes}`);
  assert.equal(both.code, 0, both.stderr);
  assert.match(both.stdout, /^serviceaccount "old" deleted from /m);
  assert.equal(await admin.find(path), undefined);
});

/** The text of an object as the server stores it, through no parser of ours. */
const raw = (path: string): Promise<string> => kubectl(plane, ['get', '--raw', path]);

/** With each number as its text: JavaScript would round it. */
function withoutWhatMayChange(text: string): Fields {
  const sourced = JSON.parse as (
    json: string,
    reviver: (key: string, value: unknown, at: { source?: string }) => unknown,
  ) => { metadata: Fields };
  const object = sourced(text, (_, value, { source }) => (typeof value === 'number' ? source : value));
  const { resourceVersion: _, finalizers: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}

test('C11: a large integer and a micro-second time stay as they are: the patch holds finalizers and resourceVersion, and the object is the same text afterwards but for those', async t => {
  const { namespace, user, run: jobctl } = await aPlace(t, plane, everywhere);
  const definition = await widgetsOf(t, namespace);
  const path = customResourcePath(definition, namespace, 'w');
  t.after(() => releaseObject(admin, path));
  const spec =
    '{"at":"2024-05-06T07:08:09.123456Z","big":9007199254740993,"bigger":-9223372036854775807,"half":0.1,"whole":5.0,"zero":"007"}';
  const body = `{"apiVersion":"${definition.apiVersion}","kind":"Widget","metadata":{"name":"w","finalizers":["${ours}","${keep}"],"annotations":{"n":"9007199254740993"}},"spec":${spec},"status":{"seen":9007199254740993}}`;
  await kubectl(plane, ['create', '--raw', customResourcePath(definition, namespace), '-f', '-'], body);
  const { metadata } = await deleteAndHold(admin, path);
  const before = await raw(path);
  assert.match(before, /"big":9007199254740993[,}]/);
  assert.match(before, /"at":"2024-05-06T07:08:09.123456Z"/);
  const trail = await auditTrail(plane);
  const done = await jobctl(`unstick widgets.${namespace}.writes.test/w --finalizer ${ours} ${yes}`);
  assert.equal(done.code, 2, done.stderr);
  const after = await raw(path);
  assert.deepEqual(
    (await writesOf(trail, user, 1)).map(write => write.body),
    [{ metadata: { finalizers: [keep], resourceVersion: metadata.resourceVersion } }],
  );
  const specOf = (text: string) => /"spec":\{.*?\}/.exec(text)?.[0];
  assert.ok(specOf(before));
  assert.equal(specOf(after), specOf(before));
  assert.deepEqual(withoutWhatMayChange(after), withoutWhatMayChange(before));
  assert.deepEqual(JSON.parse(after).metadata.finalizers, [keep]);
});

/** Takes others off the list, tries to add to it, and annotates: each pinned by the version that was read, again after a 409. */
class OtherWriter {
  readonly removed: string[] = [];
  writes = 0;
  conflicts = 0;
  refused = 0;
  readonly #path: string;
  readonly #others: string[];

  constructor(path: string, others: readonly string[]) {
    this.#path = path;
    this.#others = [...others];
  }

  get expected(): readonly string[] {
    return this.#others;
  }

  async write(): Promise<void> {
    const turn = this.writes % 3;
    for (;;) {
      const { metadata } = await admin.get(this.#path);
      const list = metadata.finalizers ?? [];
      const others = list.filter(name => !name.startsWith(ours));
      assert.deepEqual(others, this.#others, `after ${this.writes} writes`);
      const [first = ''] = others;
      const change: Fields[] = [
        { finalizers: list.filter(name => name !== first) },
        { finalizers: [...list, `writes.test/new-${this.writes}`] },
        { annotations: { count: String(this.writes) } },
      ];
      const status = await this.#send({ ...change[turn], resourceVersion: metadata.resourceVersion });
      if (status === 409) {
        this.conflicts += 1;
        continue;
      }
      assert.equal(status, turn === 1 ? 422 : 200);
      if (turn === 0) this.removed.push(this.#others.shift() ?? '');
      if (turn === 1) this.refused += 1;
      this.writes += 1;
      return;
    }
  }

  async #send(metadata: Fields): Promise<number> {
    try {
      await admin.patch(this.#path, { metadata });
      return 200;
    } catch (error) {
      if (error instanceof ApiFailure) return error.status;
      throw error;
    }
  }
}

const triesIn = (stderr: string): number => stderr.match(/PATCH \S+ \d+/g)?.length ?? 0;

test('1,000 writes by another, who removes other finalizers and tries to add some, while ours are removed one after another: none of theirs is lost, ours are gone', async t => {
  const { namespace, run: jobctl } = await aPlace(t, plane, everywhere);
  const others = Array.from({ length: 500 }, (_, at) => `writes.test/other-${at}`);
  const mine = Array.from({ length: 100 }, (_, at) => `${ours}-${at}`);
  // ours in the middle of theirs
  const path = await aHeldConfigMap(t, namespace, [...others.slice(0, 250), ...mine, ...others.slice(250)]);
  const writer = new OtherWriter(path, others);
  const startedMs = performance.now();
  let tries: number[] = [];
  const freeing = (async () => {
    for (const name of mine) {
      if (writer.writes >= 1000) break;
      const done = await jobctl(`unstick configmap/held --finalizer ${name} ${yes} --wait=false -v`);
      assert.equal(done.code, 0, done.stderr);
      assert.match(done.stdout, new RegExp(`finalizers removed: ${name}$`, 'm'));
      tries = [...tries, triesIn(done.stderr)];
    }
  })();
  while (writer.writes < 1000) await writer.write();
  await freeing;
  const seconds = (performance.now() - startedMs) / 1000;
  const now = finalizersOf(await admin.get(path));
  assert.deepEqual(
    now.filter(name => !name.startsWith(ours)),
    writer.expected,
  );
  assert.deepEqual(
    now.filter(name => name.startsWith(ours)),
    mine.slice(tries.length),
  );
  assert.equal(writer.removed.length, 334);
  assert.equal(writer.expected.length, 166);
  t.diagnostic(
    `${writer.writes} writes in ${seconds.toFixed(1)} s: ${writer.removed.length} removed, ${writer.refused} refused (422), ${writer.conflicts} conflicts of theirs; ours: ${tries.length} removals in ${tries.join(' ')} tries`,
  );
});

// Without a pause and without a version: nothing of theirs can be refused, and each of their writes makes what we read old. Who of us
// is faster is a matter of the machine; that nothing is lost, and that what is said is so, is not.
for (const writers of [1, 4]) {
  test(`${writers} at full speed on one object lose nothing by our removal; it is made, or said not to be made after 20 tries`, async t => {
    const { namespace, run: jobctl } = await aPlace(t, plane, everywhere);
    const path = await aHeldConfigMap(t, namespace, [keep, ours, other]);
    const over = new AbortController();
    const counts = Array.from({ length: writers }, async (_, at) => {
      let count = 0;
      for (; !over.signal.aborted; count += 1)
        await admin.patch(path, { metadata: { annotations: { [`writer-${at}`]: String(count) } } });
      return count;
    });
    const startedMs = performance.now();
    const done = await jobctl(`unstick configmap/held --finalizer ${ours} ${yes} -v`).finally(() =>
      over.abort(),
    );
    const seconds = (performance.now() - startedMs) / 1000;
    const written = await Promise.all(counts);
    const now = await admin.get(path);
    const tries = triesIn(done.stderr);
    const isRemoved = new RegExp(`^configmap/held finalizers removed: ${ours}$`, 'm').test(done.stdout);
    t.diagnostic(
      `${writers} at full speed, ${written.reduce((sum, count) => sum + count, 0)} writes in ${seconds.toFixed(1)} s: ${isRemoved ? 'removed' : 'not removed'} in ${tries} tries`,
    );
    for (const [at, count] of written.entries())
      assert.equal(
        now.metadata.annotations?.[`writer-${at}`],
        String(count - 1),
        'none of their writes is lost',
      );
    assert.deepEqual(finalizersOf(now), isRemoved ? [keep, other] : [keep, ours, other], done.stderr);
    assert.equal(done.code, 2, 'refused, or held by the others');
    if (isRemoved) return;
    assert.equal(tries, 20);
    assert.match(done.stderr, /^configmap\/held not changed: somebody writes to it all the time: 20 tries/m);
  });
}

/** A known tool's finalizer that guards nothing: with nobody there to end it, a scan with --yes removes it. */
const drained = 'monitoring.coreos.com/status-cleanup';

async function manyHeld(t: TestContext, namespace: string, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, at) => `held-${at}`);
  await inParallel(names, name => createConfigMap(admin, { namespace, name, finalizers: [drained] }));
  const paths = names.map(name => configMapPath(namespace, name));
  t.after(() => inParallel(paths, path => releaseObject(admin, path)));
  await inParallel(paths, path => admin.delete(path));
  return paths;
}

test('U02: 1,000 objects that their controller drains slowly are "still progressing": a scan with --yes leaves them alone, and only the finalizer by name frees them', async t => {
  const { namespace, user, run: jobctl } = await aPlace(t, plane, everywhere);
  const paths = await manyHeld(t, namespace, 1000);
  const over = new AbortController();
  t.after(() => over.abort());
  let ended = 0;
  const controller = (async () => {
    for (const path of paths) {
      if (over.signal.aborted) return;
      await releaseObject(admin, path).catch(error => {
        // we were first
        if (!(error instanceof ApiFailure && error.status === 404)) throw error;
      });
      ended += 1;
      await sleep(20);
    }
  })();
  const trail = await auditTrail(plane);
  const scan = await jobctl(`unstick ${yes}`);
  assert.equal(scan.code, 0, scan.stderr);
  const [, fewer] = /still progressing by itself: (\d+) fewer in [\d.]+s, \d+ left/.exec(scan.stdout) ?? [];
  assert.ok(Number(fewer) > 0, scan.stdout);
  assert.match(scan.stdout, new RegExp(`let it be; --finalizer ${drained} removes it all the same`));
  assert.deepEqual(await trail.events({ user, verbs: ['patch', 'update', 'delete'] }), []);
  const [left] = [(await admin.list(configMapPath(namespace))).length];
  assert.ok(left > 500, 'it was not the controller that was fast');

  const startedMs = performance.now();
  const all = await jobctl(`unstick configmaps --finalizer ${drained} ${yes}`);
  const seconds = (performance.now() - startedMs) / 1000;
  over.abort();
  await controller;
  assert.equal(all.code, 0, all.stderr);
  assert.deepEqual(
    (await admin.list(configMapPath(namespace))).filter(({ metadata }) => metadata.deletionTimestamp),
    [],
  );
  const patches = await trail.events({ user, verbs: ['patch'] });
  t.diagnostic(
    `progressing: ${fewer} fewer; then ${left} left, freed in ${seconds.toFixed(1)} s with ${patches.length} patches while the controller ended ${ended} in all`,
  );
});

test('U02: the same objects with nobody at work on them are freed by a scan with --yes, after ten seconds in which nothing moved', async t => {
  const { namespace, run: jobctl } = await aPlace(t, plane, everywhere);
  await manyHeld(t, namespace, 12);
  const done = await jobctl(`unstick ${yes}`);
  assert.equal(done.code, 0, done.stderr);
  assert.doesNotMatch(done.stderr, /still progressing/);
  await until('all to be gone', 5000, async () =>
    (await admin.list(configMapPath(namespace))).every(({ metadata }) => !metadata.deletionTimestamp),
  );
  assert.match(done.stderr, /^12 objects freed and gone, 0 failed/m);
});
