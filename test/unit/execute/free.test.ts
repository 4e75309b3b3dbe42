// The order of events of `unstick`: removals wave by wave, and the look afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Written } from '../../../src/cluster/contract.ts';
import { performFree } from '../../../src/execute/perform.ts';
import type { Event } from '../../../src/model/event.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { UnstickOptions } from '../../../src/model/options.ts';
import type { UnstickPlan } from '../../../src/model/plan.ts';
import type { ProblemCode } from '../../../src/model/problem.ts';
import { planUnstick } from '../../../src/plan/unstick.ts';
import { anObject, kinds, looked, now, ownedBy, stuck, unstickOptions, unstickSnapshot } from '../nouns.ts';
import { type Change, freeingCluster, type Patched } from './freeing-cluster.ts';
import { events } from './small-cluster.ts';

const ours = 'example.com/cleanup';
const theirs = 'example.com/other';

const widget = (name: string, more: Partial<ObjectMeta> = {}): ObjectMeta =>
  anObject(kinds.widget, name, { ...stuck, finalizers: [ours], ...more });
const w = widget('w');

function plan(objects: readonly ObjectMeta[], options: Partial<UnstickOptions> = {}): UnstickPlan {
  const all = objects.map(looked.object);
  return planUnstick(
    unstickSnapshot(all),
    unstickOptions({ finalizers: [ours], timeoutMs: 10_000, ...options }),
  );
}

/** The events in short, without progress and waiting. */
const inShort = (seen: readonly Event[]): string[] =>
  seen.flatMap(event => [...writes(event), ...looks(event)]);

function writes(event: Event): string[] {
  if (event.type === 'freed')
    return [`${event.action.target.name} ${event.state} ${event.action.remove.join(',')}`];
  if (event.type === 'not-freed') return [`${event.action.target.name} failed ${event.problem.code}`];
  if (event.type === 'halted') return [`halted: ${names(event.notStarted)}`];
  return event.type === 'interrupted'
    ? [`interrupted: ${names(event.notStarted)}; ${names(event.left.map(({ target }) => target))}`]
    : [];
}

function looks(event: Event): string[] {
  if (event.type === 'seen-gone') return [`${event.as} ${event.target.name} gone`];
  if (event.type === 'made-anew') return [`${event.target.name} made anew`];
  if (event.type === 'timeout')
    return [`timeout: ${event.left.map(({ target, code }) => `${target.name} ${code}`).join(', ')}`];
  if (event.type !== 'stays-held') return [];
  const { target, code, facts } = event.left;
  return [`${target.name} stays ${code} ${facts['by'] ?? ''}`.trim()];
}

const names = (refs: readonly { readonly name: string }[]): string => refs.map(({ name }) => name).join(',');

const failed = (code: ProblemCode, text: string = code): Written => ({
  state: 'failed',
  problem: { code, text },
});
const conflict = failed('changed-since-read', 'Conflict');

/** The first so many patches meet another writer. */
const outdated =
  (times: number, change: (object: ObjectMeta) => Partial<ObjectMeta> = () => ({})): Change =>
  ({ target }, { objects, sent }) => {
    const now = objects.get(target.uid);
    if (now === undefined || sent.length > times) return undefined;
    const resourceVersion = String(Number(now.ref.resourceVersion) + 1);
    objects.set(target.uid, { ...now, ...change(now), ref: { ...now.ref, resourceVersion } });
    return conflict;
  };
const versions = (sent: readonly Patched[]): string[] => sent.map(({ target }) => target.resourceVersion);

test('a removal is answered, and only the look afterwards calls the object gone', async () => {
  const cluster = freeingCluster([w]);
  assert.deepEqual(inShort(await events(plan([w]), cluster)), [`w removed ${ours}`, 'target w gone']);
  assert.deepEqual(
    cluster.sent.map(({ patch }) => patch),
    [{ metadata: { finalizers: [] } }],
  );
});

test('U09: 409 twice, then OK: each try carries the newest version', async () => {
  const cluster = freeingCluster([w], outdated(2));
  assert.deepEqual(inShort(await events(plan([w]), cluster)), [`w removed ${ours}`, 'target w gone']);
  assert.deepEqual(versions(cluster.sent), ['7', '8', '9']);
});

test('U20: what another writer puts on the list meanwhile is sent back, in its place', async () => {
  const cluster = freeingCluster(
    [w],
    outdated(1, () => ({ finalizers: [theirs, ours, 'example.com/b'] })),
  );
  assert.deepEqual(inShort(await events(plan([w]), cluster)), [
    `w removed ${ours}`,
    'timeout: w held-by-finalizers',
  ]);
  assert.deepEqual(cluster.sent.at(-1)?.patch, { metadata: { finalizers: [theirs, 'example.com/b'] } });
});

test('U09: 409 for ever ends after twenty tries, and no try goes without a version', async () => {
  const cluster = freeingCluster([w], outdated(1000));
  assert.deepEqual(inShort(await events(plan([w]), cluster)), ['w failed changed-since-read']);
  assert.deepEqual(
    versions(cluster.sent),
    Array.from({ length: 20 }, (_unused, at) => String(7 + at)),
  );
  assert.ok(cluster.objects.has(w.ref.uid));
});

test('U21: a server that calls a list of yesterday a new finalizer is asked again with the list of today', async () => {
  const both = widget('w', { finalizers: [ours, theirs] });
  const cluster = freeingCluster([both], ({ target }, { objects, sent }) => {
    if (sent.length > 1) return undefined;
    objects.set(target.uid, { ...both, ref: { ...both.ref, resourceVersion: '8' }, finalizers: [ours] });
    return failed(
      'invalid',
      'Error from server (Invalid): Widget "w" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/other"}',
    );
  });
  assert.deepEqual(inShort(await events(plan([both]), cluster)), [`w removed ${ours}`, 'target w gone']);
  assert.deepEqual(cluster.sent.at(-1)?.patch, { metadata: { finalizers: [] } });
});

test('U21: a finalizer that is gone by the second try is not needed any more', async () => {
  const both = widget('w', { finalizers: [ours, theirs] });
  const cluster = freeingCluster(
    [both],
    outdated(1, () => ({ finalizers: [theirs] })),
  );
  assert.deepEqual(inShort(await events(plan([both]), cluster)), [
    `w unneeded ${ours}`,
    'w stays still-held',
  ]);
  assert.equal(cluster.sent.length, 1);
});

test('an object that is gone by the second try was already gone, which is told once', async () => {
  const cluster = freeingCluster([w], ({ target }, { objects }) => {
    objects.delete(target.uid);
    return conflict;
  });
  assert.deepEqual(inShort(await events(plan([w]), cluster)), [`w already-gone ${ours}`]);
});

test('an object of the same name that was made anew meanwhile is not patched', async () => {
  const reborn = { ...w, ref: { ...w.ref, uid: 'another', resourceVersion: '99' } };
  const cluster = freeingCluster([w], ({ target }, { objects }) => {
    objects.delete(target.uid);
    objects.set('another', reborn);
    return conflict;
  });
  assert.deepEqual(inShort(await events(plan([w]), cluster)), [`w already-gone ${ours}`]);
  assert.deepEqual(cluster.objects.get('another')?.finalizers, [ours]);
});

test('U08: a controller that turns out to be at work at the second try stops the removal', async () => {
  const writers = [{ manager: 'widget-operator', at: new Date(now.getTime() + 1000), finalizers: [] }];
  const cluster = freeingCluster(
    [w],
    outdated(1, () => ({ writers })),
  );
  assert.deepEqual(inShort(await events(plan([w]), cluster)), ['w failed changed-since-read']);
  assert.equal(cluster.sent.length, 1);
});

test('U08: an answer of 200 that still shows the finalizer is a failure, and is not tried again', async () => {
  const cluster = freeingCluster([w], () => ({ state: 'done', object: w }));
  assert.deepEqual(inShort(await events(plan([w]), cluster)), ['w failed invalid']);
  assert.equal(cluster.sent.length, 1);
});

test('any other refusal is not tried again', async () => {
  for (const code of ['forbidden', 'invalid', 'server-error', 'timeout', 'throttled'] as const) {
    const cluster = freeingCluster([w], () => failed(code));
    assert.deepEqual(inShort(await events(plan([w]), cluster)), [`w failed ${code}`]);
    assert.equal(cluster.sent.length, 1);
  }
});

test('an object that cannot be read again after a 409 is failed, not gone', async () => {
  const cluster = freeingCluster([w], outdated(1));
  const unreadable = { state: 'unreadable', problem: { code: 'forbidden', text: 'Forbidden' } } as const;
  const blind = { ...cluster, read: { ...cluster.read, getMetadata: () => Promise.resolve(unreadable) } };
  assert.deepEqual(inShort(await events(plan([w]), blind)), ['w failed forbidden']);
});

test('who refused is looked up in the configurations that install webhooks', async () => {
  const webhook = {
    configuration: 'validatingwebhookconfiguration/guard',
    name: 'guard.example',
    service: 'a/b',
  };
  const cluster = freeingCluster([w], () => ({
    state: 'failed',
    problem: { code: 'forbidden', text: 'denied', rejection: { by: 'webhook', name: 'guard.example' } },
  }));
  const found = [
    { ...webhook, mutating: false, failsClosed: true, updates: [] },
    { ...webhook, name: 'other.example', mutating: false, failsClosed: true, updates: [] },
  ];
  const readEvidence = () => Promise.resolve({ state: 'read', value: found }) as never;
  const seen = await events(plan([w]), { ...cluster, read: { ...cluster.read, readEvidence } });
  const blame = seen.flatMap(event => (event.type === 'not-freed' ? event.blame : []));
  assert.deepEqual(blame.map(({ configuration, name }) => [configuration, name])[0], [
    'validatingwebhookconfiguration/guard',
    'guard.example',
  ]);
  assert.ok(blame.every(({ name }) => name === 'guard.example'));
});

// --- waves -----------------------------------------------------------------------------------------------------------------

const top = widget('top');
const middle = widget('middle', { owners: ownedBy(top) });
const leaves = ['leaf-1', 'leaf-2', 'leaf-3'].map(name => widget(name, { owners: ownedBy(middle) }));
const family = [top, middle, ...leaves];

test('a wave begins when the one before it was answered in full', async () => {
  const cluster = freeingCluster(family);
  await events(plan(family, { concurrency: 24 }), cluster);
  assert.deepEqual(cluster.sent.map(({ target, underWay }) => [target.name, underWay]).sort(), [
    ['leaf-1', []],
    ['leaf-2', ['leaf-1']],
    ['leaf-3', ['leaf-1', 'leaf-2']],
    ['middle', []],
    ['top', []],
  ]);
  assert.deepEqual(
    cluster.sent.map(({ target }) => target.name),
    ['leaf-1', 'leaf-2', 'leaf-3', 'middle', 'top'],
  );
});

test('never more removals at once than asked for', async () => {
  const many = Array.from({ length: 20 }, (_unused, at) => widget(`w${at}`));
  const cluster = freeingCluster(many);
  await events(plan(many, { concurrency: 3 }), cluster);
  assert.equal(Math.max(...cluster.sent.map(({ underWay }) => underWay.length + 1)), 3);
});

test('one that fails does not keep its siblings; what is above it is not tried, and stays', async () => {
  const cluster = freeingCluster(family, ({ target }) =>
    target.name === 'leaf-2' ? failed('forbidden') : undefined,
  );
  const told = inShort(await events(plan(family), cluster));
  assert.deepEqual(
    told.filter(line => /failed/.test(line)),
    ['leaf-2 failed forbidden', 'middle failed invalid', 'top failed invalid'],
  );
  assert.deepEqual(told.filter(line => / gone$/.test(line)).sort(), [
    'target leaf-1 gone',
    'target leaf-3 gone',
  ]);
  assert.deepEqual(
    cluster.sent.map(({ target }) => target.name),
    ['leaf-1', 'leaf-2', 'leaf-3'],
  );
});

test('an owner of something else goes on when a stranger fails', async () => {
  const stranger = widget('stranger');
  const cluster = freeingCluster([...family, stranger], ({ target }) =>
    target.name === 'stranger' ? failed('forbidden') : undefined,
  );
  const told = inShort(await events(plan([...family, stranger]), cluster));
  assert.equal(told.filter(line => / gone$/.test(line)).length, family.length);
});

for (const code of ['unreachable', 'unauthorized'] as const) {
  test(`once the server is ${code} no further removal begins, in this wave or the next, and the rest is named`, async () => {
    const cluster = freeingCluster(family, () => failed(code));
    const told = inShort(await events(plan(family, { concurrency: 1 }), cluster));
    assert.deepEqual(told, [`leaf-1 failed ${code}`, 'halted: leaf-2,leaf-3,middle,top']);
    assert.equal(cluster.sent.length, 1);
  });
}

test('after Ctrl-C between waves the next one does not begin, and what was not started is named', async () => {
  const interrupt = new AbortController();
  const cluster = freeingCluster(family, (_sent, { sent }) => {
    if (sent.length === 3) interrupt.abort();
    return undefined;
  });
  const told = inShort(await events(plan(family), cluster, { signal: interrupt.signal }));
  assert.deepEqual(told, [
    ...leaves.map(({ ref }) => `${ref.name} removed ${ours}`),
    'interrupted: middle,top; ',
  ]);
  assert.equal(cluster.sent.length, 3);
});

test('after Ctrl-C an object that was changed in between is not tried again', async () => {
  const interrupt = new AbortController();
  const cluster = freeingCluster([w], (sent, at) => {
    interrupt.abort();
    return outdated(1000)(sent, at);
  });
  const told = inShort(await events(plan([w]), cluster, { signal: interrupt.signal }));
  assert.deepEqual(told, ['w failed changed-since-read', 'interrupted: ; ']);
});

// --- the look afterwards ---------------------------------------------------------------------------------------------------

test('U08: a finalizer that came back stays held, written by its writer, and there is no second removal', async () => {
  const cluster = freeingCluster([w], ({ target }, { objects }) => {
    const writers = [{ manager: 'widget-operator', finalizers: [ours] }];
    objects.set(target.uid, { ...w, ref: { ...w.ref, resourceVersion: '9' }, writers });
    return { state: 'done' };
  });
  const told = inShort(await events(plan([w]), cluster));
  assert.deepEqual(told, [`w removed ${ours}`, 'w stays came-back widget-operator']);
  assert.equal(cluster.sent.length, 1);
});

test('U08: a finalizer that comes back only after a while is seen too', async () => {
  const held = { ...w, ref: { ...w.ref, resourceVersion: '9' }, finalizers: [] };
  const cluster = freeingCluster([w], ({ target }, { objects }) => {
    objects.set(target.uid, held);
    return { state: 'done' };
  });
  let pauses = 0;
  const onPause = () => {
    pauses += 1;
    if (pauses === 3) cluster.objects.set(w.ref.uid, { ...held, finalizers: [ours] });
  };
  assert.deepEqual(inShort(await events(plan([w]), cluster, { onPause })), [
    `w removed ${ours}`,
    'w stays came-back',
  ]);
});

const owner = anObject(kinds.cronJob, 'owner', { ...stuck, finalizers: ['foregroundDeletion'] });
const below = widget('below', { owners: ownedBy(owner) });

test('what follows is waited for, and seen to be gone', async () => {
  const cluster = freeingCluster([owner, below]);
  const seen = await events(plan([owner, below]), cluster, {
    onPause: () => cluster.objects.delete(owner.ref.uid),
  });
  assert.deepEqual(inShort(seen), [`below removed ${ours}`, 'target below gone', 'dependent owner gone']);
});

test('what follows does not follow once what it waits for came back: it stays, at once, without a timeout', async () => {
  const cluster = freeingCluster([owner, below], () => ({ state: 'done' }));
  assert.deepEqual(inShort(await events(plan([owner, below]), cluster)), [
    `below removed ${ours}`,
    'below stays came-back',
    'owner stays held-by-finalizers',
  ]);
});

test('what follows does not follow once a removal has failed', async () => {
  const cluster = freeingCluster([owner, below], () => failed('forbidden'));
  assert.deepEqual(inShort(await events(plan([owner, below]), cluster)), [
    'below failed forbidden',
    'owner stays held-by-finalizers',
  ]);
});

test('an object that cannot be read afterwards is not called gone', async () => {
  const cluster = freeingCluster([w]);
  const unreadable = { state: 'unreadable', problem: { code: 'forbidden', text: 'Forbidden' } } as const;
  const blind = { ...cluster, read: { ...cluster.read, getMetadata: () => Promise.resolve(unreadable) } };
  assert.deepEqual(inShort(await events(plan([w]), blind)), [`w removed ${ours}`, 'timeout: w unreadable']);
});

test('Ctrl-C during the look ends it, and tells what is left', async () => {
  const interrupt = new AbortController();
  const cluster = freeingCluster([w], ({ target }, { objects }) => {
    objects.set(target.uid, { ...w, finalizers: [] });
    return { state: 'done' };
  });
  const seen = await events(plan([w]), cluster, {
    signal: interrupt.signal,
    onPause: () => interrupt.abort(),
  });
  assert.deepEqual(inShort(seen), [`w removed ${ours}`, 'interrupted: ; w']);
});

test('with --wait=false nothing is looked at', async () => {
  const cluster = freeingCluster([w]);
  assert.deepEqual(inShort(await events(plan([w], { wait: false }), cluster)), [`w removed ${ours}`]);
});

test('a server dry run sends everything once, and calls nothing gone', async () => {
  const cluster = freeingCluster(family, () => ({ state: 'done' }));
  const told = inShort(await events(plan(family, { dryRun: 'server' }), cluster));
  assert.deepEqual(
    told,
    ['leaf-1', 'leaf-2', 'leaf-3', 'middle', 'top'].map(name => `${name} dry-run ${ours}`),
  );
});

test('a plan without actions writes nothing and ends', async () => {
  const cluster = freeingCluster([w]);
  const seen = await events(plan([w], { finalizers: [] }), cluster);
  assert.deepEqual([inShort(seen), seen.at(-1)?.type, cluster.sent], [[], 'end', []]);
});

// --- what was never confirmed ----------------------------------------------------------------------------------------------

test('a uid, a name or a list that the plan does not name is a bug, not a removal', () => {
  const agreed = plan([w]);
  const cluster = freeingCluster([w]);
  const [action] = agreed.actions;
  assert.ok(action);
  const strangers = [
    { ...action, target: widget('other').ref },
    { ...action, remove: [ours, theirs] },
    { ...action, where: 'spec' },
  ] as const;
  for (const stranger of strangers)
    assert.throws(() => performFree(stranger, agreed, cluster.write), /was never confirmed/);
  assert.deepEqual(cluster.sent, []);
});

test('spec.finalizers of a namespace go to /finalize, after the namespace’s own patch and at the newer version', async () => {
  const space = anObject(kinds.namespace, 'legacy', { ...stuck, finalizers: [ours] });
  const all = [looked.object(space)];
  const forced = planUnstick(
    unstickSnapshot(all, {
      named: all,
      evidence: {
        namespaces: [{ name: 'legacy', uid: space.ref.uid, finalizers: ['kubernetes'], conditions: [] }],
      },
    }),
    unstickOptions({ forceFinalize: true, finalizers: [ours], timeoutMs: 10_000 }),
  );
  const cluster = freeingCluster([space], ({ target, to }, { objects }) => {
    const now = objects.get(target.uid);
    if (now === undefined || now.ref.resourceVersion !== target.resourceVersion) return conflict;
    if (to === 'finalize') return undefined;
    objects.set(target.uid, { ...now, ref: { ...now.ref, resourceVersion: '8' }, finalizers: [] });
    return { state: 'done' };
  });
  assert.deepEqual(inShort(await events(forced, cluster)), [
    `legacy removed ${ours}`,
    'legacy removed kubernetes',
    'target legacy gone',
  ]);
  assert.deepEqual(
    cluster.sent.map(({ to, target }) => `${to} ${target.resourceVersion}`),
    ['patch 7', 'finalize 7', 'finalize 8'],
  );
});

/** A namespace that is finalized by force, with a Pod that is freed and a Job that follows it. */
function aForcedNamespace() {
  const space = anObject(kinds.namespace, 'batch', stuck);
  const job = anObject(kinds.job, 'j', { ...stuck, finalizers: ['foregroundDeletion'] });
  const pod = anObject(kinds.configMap, 'leaf', { ...stuck, finalizers: [ours], owners: ownedBy(job) });
  const all = [space, job, pod].map(looked.object);
  const forced = planUnstick(
    unstickSnapshot(all, {
      named: all.slice(0, 1),
      inside: new Map([[space.ref.uid, { counts: [], stuck: [], whole: true }]]),
      evidence: {
        namespaces: [{ name: 'batch', uid: space.ref.uid, finalizers: ['kubernetes'], conditions: [] }],
      },
    }),
    unstickOptions({ forceFinalize: true, finalizers: [ours], timeoutMs: 10_000 }),
  );
  return { space, job, pod, forced };
}

test('/finalize waits for what goes by itself after the freed leaves', async () => {
  const { space, job, pod, forced } = aForcedNamespace();
  const cluster = freeingCluster([space, job, pod]);
  const seen = await events(forced, cluster, { onPause: () => cluster.objects.delete(job.ref.uid) });
  assert.deepEqual(inShort(seen), [
    `leaf removed ${ours}`,
    'target leaf gone',
    'dependent j gone',
    'batch removed kubernetes',
    'target batch gone',
  ]);
});

for (const [code, isTried] of [
  ['forbidden', true],
  ['invalid', true],
  ['server-error', false],
  ['throttled', false],
  ['changed-since-read', false],
] as const) {
  test(`/finalize after a leaf that failed with ${code} is ${isTried ? 'the last resort that it is' : 'not tried: the leaf may go at the next try'}`, async () => {
    const { space, job, pod, forced } = aForcedNamespace();
    const cluster = freeingCluster([space, job, pod], ({ target }) =>
      target.uid === pod.ref.uid ? failed(code) : undefined,
    );
    await events(forced, cluster);
    assert.equal(
      cluster.sent.some(({ to }) => to === 'finalize'),
      isTried,
    );
  });
}

test('a removal whose first answer was lost is ours, whether the name is gone or the object', async () => {
  const lost: Written = { ...failed('changed-since-read'), mayHaveArrivedBefore: true } as Written;
  for (const isGone of [false, true]) {
    const both = widget('w', { finalizers: [ours, theirs] });
    const cluster = freeingCluster([both], ({ target }, { objects }) => {
      if (isGone) objects.delete(target.uid);
      else objects.set(target.uid, { ...both, finalizers: [theirs] });
      return lost;
    });
    assert.deepEqual(inShort(await events(plan([both]), cluster)), [
      `w removed ${ours}`,
      isGone ? 'target w gone' : 'w stays still-held',
    ]);
    assert.equal(cluster.sent.length, 1);
  }
});
