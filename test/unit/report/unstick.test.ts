// What people read of `unstick`: the preview, the holds in words, who refused, and the lines while it runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Blamed, Event, LeftCode } from '../../../src/model/event.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { CauseCode, Hold } from '../../../src/model/hold.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { UnstickOptions } from '../../../src/model/options.ts';
import type { UnstickPlan } from '../../../src/model/plan.ts';
import type { Rejection } from '../../../src/model/problem.ts';
import type { Looked } from '../../../src/model/snapshot.ts';
import { planUnstick } from '../../../src/plan/unstick.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import { Counting, exitCodeOf } from '../../../src/report/counting.ts';
import { finalizerWords } from '../../../src/report/finalizer-words.ts';
import { costOf, holdLines } from '../../../src/report/hold-lines.ts';
import { typedFor } from '../../../src/report/next-command.ts';
import { choicesOf, questionOf } from '../../../src/report/question.ts';
import { rejectionLines } from '../../../src/report/rejection-words.ts';
import { unstickPreview } from '../../../src/report/unstick-preview.ts';
import { anObject, kinds, looked, ownedBy, stuck, unstickOptions, unstickSnapshot } from '../nouns.ts';

const typed = typedFor({ reach: [] });
const keda = 'finalizer.keda.sh';
const cleanup = 'example.com/cleanup';

/** Each cause with the facts that its diagnosis gives, and what has to stand in its sentence. */
const causes: Record<CauseCode, readonly [Facts, RegExp]> = {
  'dependents-gone': [{}, /nothing that it waits for is left/],
  'dependents-block': [
    { count: 7, names: 'pod/a, pod/b', first: 'pod/a' },
    /waits for 7 dependents: pod\/a, pod\/b and 5 more/,
  ],
  'dependents-unknown': [{ kinds: 'secrets' }, /not readable are secrets/],
  orphaning: [{ count: 1, names: 'pod/a', namespace: 'batch' }, /let 1 dependent go first: pod\/a$/m],
  'job-gone': [{ job: 'job.batch/j' }, /job\.batch\/j is gone/],
  'job-over': [{ job: 'job.batch/j', state: 'complete' }, /job\.batch\/j is complete/],
  'job-counts-it': [
    { job: 'job.batch/j' },
    /job\.batch\/j still counts it: removed by hand, its work would run again/,
  ],
  'job-unknown': [{ job: 'job.batch/j' }, /whether job\.batch\/j is still at work cannot be read/],
  'claim-unused': [{}, /no Pod refers to it any more/],
  'claim-in-use': [
    { count: 1, names: 'pod/a (Succeeded)', first: 'pod/a', namespace: 'batch' },
    /still used by pod\/a \(Succeeded\)\n.*kubectl jobctl delete pod\/a -n batch/,
  ],
  'claim-users-unknown': [{}, /whether a Pod still uses it cannot be read/],
  'volume-unbound': [{}, /no claim is bound to it/],
  'volume-bound': [{ claim: 'batch/c' }, /claim batch\/c is still bound to it/],
  'volume-attached': [
    { attachment: 'volumeattachment/x', node: 'n' },
    /volumeattachment\/x still attaches it to node n\nthe CSI driver has to detach it/,
  ],
  'volume-unknown': [{}, /what it is bound and attached to cannot be read/],
  'controller-gone': [
    { words: 'keda-operator', known: 'keda', lease: 'keda/operator.keda.sh', renewedMs: 172_800_000 },
    /no KEDA runs here; lease keda\/operator\.keda\.sh was last renewed 2d ago/,
  ],
  'controller-not-found': [
    { words: 'example, widget', by: 'manager' },
    /nothing called example, widget runs here\); it was put there by manager/,
  ],
  'controller-stopped': [
    { workload: 'deployment.apps/o', namespace: 'ops', ready: 0, wanted: 1 },
    /deployment\.apps\/o in ops has 0 of 1 ready/,
  ],
  'controller-alive': [
    {
      workload: 'deployment.apps/o',
      namespace: 'ops',
      ready: 1,
      wanted: 1,
      warning: 'Failed: no bucket',
      warned: 'o',
    },
    /controller alive: deployment\.apps\/o in ops has 1 of 1 ready; last warning since the deletion: Failed: no bucket\n(.|\n)*see what fails/,
  ],
  'controller-unknown': [
    { unread: 'leases' },
    /whether its controller runs cannot be told: leases cannot be read/,
  ],
  'instances-remain': [
    { count: 3, stuck: 2, name: 'widgets.example.com' },
    /3 custom resources of it are left, 2 of them stuck\n.*kubectl jobctl unstick widgets\.example\.com -A/,
  ],
  'instances-gone': [{}, /no custom resource of it is left/],
  'instances-unknown': [{}, /whether custom resources of it are left cannot be read/],
  'contents-remain': [
    { count: 2, resources: '2 pods', stuck: 1, why: '' },
    /waits for what is in it: 2 pods\nit goes by itself/,
  ],
  'contents-unserved': [
    { resources: 'gadgets.gone.example' },
    /gadgets\.gone\.example, which is no longer served/,
  ],
  'contents-unknown': [{ why: 'Discovery failed' }, /what is left in it is not known: Discovery failed/],
  'contents-gone': [{}, /nothing is left in it/],
  'node-silent': [
    { node: 'n', state: 'absent', pod: 'pod/p', namespace: 'batch' },
    /its node n is gone from the cluster\n(.|\n)*delete pod\/p -n batch --force --grace-period=0/,
  ],
  'node-works': [
    { node: 'n', state: 'ready', pod: 'pod/p', namespace: 'batch', warning: 'FailedKillPod: x' },
    /node n is ready.*\(FailedKillPod: x\)/,
  ],
  'node-unknown': [
    { node: 'n', state: '', pod: 'pod/p', namespace: 'batch' },
    /whether node n works cannot be read/,
  ],
  'nothing-holds': [{ warning: 'FailedUnmount: x' }, /no finalizer holds it \(FailedUnmount: x\)/],
  draining: [
    { before: 1000, after: 960, ms: 10_000 },
    /still progressing by itself: 40 fewer in 10(\.0)?s, 960 left/,
  ],
};

const hold = (cause: CauseCode, facts: Facts, more: Partial<Hold> = {}): Hold => ({
  finalizer: cleanup,
  where: 'metadata',
  cause,
  facts,
  loss: 'outside',
  allowance: 'if-named',
  waitsFor: [],
  ...more,
});
const nonsense = /undefined|NaN|\[object|null|Infinity/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/;
const evil = 'x\u001b[2J\u001b]0;t\u0007\u202e\r\ny';

const grades = [undefined, ...Object.keys(finalizerWords)].flatMap(known =>
  (['proven', 'if-named', 'only-named', 'never'] as const).flatMap(allowance =>
    [true, false].map(isRemoved => ({ known, allowance, isRemoved })),
  ),
);

for (const [cause, [facts, expected]] of Object.entries(causes) as [CauseCode, readonly [Facts, RegExp]][]) {
  test(`${cause} is said with its evidence`, () =>
    assert.match(
      holdLines(hold(cause, facts, { allowance: 'never' }), undefined, typed).join('\n'),
      expected,
    ));

  test(`${cause} makes sense for every known finalizer and in every grade`, () => {
    for (const more of grades) {
      const all = { ...facts, ...(more.known === undefined ? {} : { known: more.known }) };
      const lines = holdLines(
        hold(cause, all, { allowance: more.allowance }),
        more.isRemoved ? 'will' : undefined,
        typed,
      );
      assert.ok(lines.length > 0);
      for (const line of lines) {
        assert.ok(line.trim() === line && line !== '', `"${line}"`);
        assert.doesNotMatch(line, nonsense);
      }
    }
  });

  test(`${cause}: control characters of its facts do not get through`, () => {
    const nasty = Object.fromEntries(
      Object.entries(facts).map(([key, value]) => [
        key,
        typeof value === 'string' && key !== 'known' ? evil : value,
      ]),
    );
    for (const line of holdLines(hold(cause, nasty, { finalizer: evil }), undefined, typed))
      assert.doesNotMatch(line, control);
  });
}

test('one of a thing is not many', () => {
  const one =
    holdLines(
      hold('instances-remain', { count: 1, stuck: 1, name: 'widgets.example.com' }),
      undefined,
      typed,
    )[0] ?? '';
  assert.match(one, /^1 custom resource of it is left/);
});

const costs: readonly [string, Partial<Hold>, RegExp][] = [
  ['nothing', { loss: 'nothing' }, /^nothing is lost$/],
  ['something outside', { loss: 'outside' }, /^something outside of the cluster may be left behind$/],
  ['data', { loss: 'data' }, /^data may be lost$/],
  [
    'U18: dependents',
    { cause: 'orphaning', facts: { count: 2, names: 'pod/a, pod/b', namespace: 'batch' } },
    /where it has not: pod\/a, pod\/b\. To end those that stay: kubectl jobctl delete pod\/a pod\/b -n batch$/,
  ],
  ['running Jobs', { loss: 'nothing', facts: { runningJobs: 2 } }, /\(2 running Jobs of it will end\)$/],
  [
    'U28: what an Application manages',
    { facts: { known: 'argocd-resources', managed: 12 } },
    /\(12 managed objects of it\)$/,
  ],
];
for (const [about, more, expected] of costs)
  test(`a removal that costs ${about} says so`, () =>
    assert.match(costOf(hold('controller-gone', {}, more), typed), expected));

test('what will be removed is told without advice to remove it', () => {
  const told = holdLines(hold('controller-not-found', { words: 'example' }), 'will', typed).join('\n');
  assert.match(told, /removing it: something outside/);
  assert.doesNotMatch(told, /--finalizer/);
});

// --- who refused -----------------------------------------------------------------------------------------------------------

const blamed: Blamed = {
  configuration: 'validatingwebhookconfiguration/guard',
  name: 'g.example',
  service: 'ops/guard',
};
const rejections: readonly [Rejection, readonly Blamed[], RegExp][] = [
  [
    { by: 'webhook', name: 'g.example' },
    [blamed],
    /webhook g\.example \(validatingwebhookconfiguration\/guard\) denies/,
  ],
  [{ by: 'webhook', name: 'g.example' }, [], /webhook g\.example denies/],
  [
    { by: 'silent-webhook', name: 'g.example', address: 'https://x' },
    [blamed],
    /cannot be reached at service ops\/guard(.|\n)*kubectl get validatingwebhookconfiguration guard -o yaml/,
  ],
  [
    { by: 'silent-webhook', name: 'g.example', address: 'https://x' },
    [],
    /cannot be reached at https:\/\/x:/,
  ],
  [{ by: 'silent-webhook', name: 'g.example', address: '' }, [], /g\.example cannot be reached: every/],
  [
    { by: 'policy', name: 'keep', binding: 'all' },
    [],
    /ValidatingAdmissionPolicy keep, bound by all, denies/,
  ],
  [
    { by: 'conversion', kind: 'example.com/v1, Kind=Widget', address: 'https://x' },
    [],
    /conversion webhook https:\/\/x does not answer/,
  ],
  [
    { by: 'conversion', kind: 'example.com/v1, Kind=Widget', address: '' },
    [],
    /the conversion webhook does not answer/,
  ],
  [{ by: 'mutation' }, [], /something changes the object on its way in/],
  [{ by: 'mutation' }, [blamed], /Mutating webhooks that see it: validatingwebhookconfiguration\/guard/],
  [
    { by: 'finalizer-name', name: 'old.example' },
    [],
    /"old\.example", which would stay on the list.*--finalizer old\.example too/,
  ],
  [{ by: 'no-dry-run', name: 'g.example' }, [blamed], /does not support dry runs; --dry-run=client/],
];
for (const [rejection, blame, expected] of rejections) {
  test(`a refusal by ${rejection.by}, ${blame.length === 0 ? 'of which no configuration is known' : 'with its configuration'}`, () => {
    const lines = rejectionLines(rejection, blame, false);
    assert.match(lines.join('\n'), expected);
    assert.doesNotMatch(lines.join('\n'), nonsense);
    assert.doesNotMatch(
      lines.join('\n'),
      /kubectl (delete|patch|edit)|disable|switch off/i,
      'it never says to switch it off',
    );
    const collectors = rejectionLines(rejection, blame, true);
    assert.equal(collectors.length, lines.length + (rejection.by === 'no-dry-run' ? 0 : 1));
  });
}

test('U30: the garbage collector meets the same wall, which is said', () =>
  assert.match(
    rejectionLines({ by: 'policy', name: 'keep', binding: 'all' }, [], true).at(-1) ?? '',
    /garbage collector has to make the same change/,
  ));

test('names of webhooks and policies reach a terminal without control characters', () => {
  for (const by of [
    'webhook',
    'silent-webhook',
    'policy',
    'conversion',
    'finalizer-name',
    'no-dry-run',
  ] as const)
    for (const line of rejectionLines(
      { by, name: evil, binding: evil, kind: evil, address: evil } as Rejection,
      [{ configuration: evil, name: evil, service: evil }],
      true,
    ))
      assert.doesNotMatch(line, control);
});

// --- the preview -----------------------------------------------------------------------------------------------------------

const object = (name: string, more: Partial<ObjectMeta> = {}): Looked =>
  looked.object(anObject(kinds.widget, name, { ...stuck, finalizers: [cleanup], ...more }));
const queue = (name: string): Looked =>
  looked.object(anObject(kinds.scaledJob, name, { ...stuck, finalizers: [keda] }));

const plan = (
  objects: readonly Looked[],
  options: Partial<UnstickOptions> = {},
  more: Parameters<typeof unstickSnapshot>[1] = {},
): UnstickPlan => planUnstick(unstickSnapshot(objects, more), unstickOptions(options));

test('nothing is stuck: the preview says so in one line below its heading', () => {
  const lines = unstickPreview(plan([]));
  assert.equal(lines.at(-1), 'Nothing is stuck here.');
  assert.ok(lines.length <= 3);
});

for (const kindsUnread of [1, 3, 4, 40]) {
  test(`of ${kindsUnread} kinds that could not be read nothing is known: nothing is stuck among the others`, () => {
    const problem = { code: 'forbidden', text: 'no' } as const;
    const unreadable = Array.from({ length: kindsUnread }, (_unused, at) => ({
      kind: { group: 'g', kind: `K${at}`, resource: `k${at}s` },
      namespace: 'batch',
      problem,
    }));
    assert.equal(
      unstickPreview(plan([], {}, { unreadable })).at(-1),
      'Nothing is stuck among what could be read.',
    );
  });
}

test('a scan shows each object with what holds it, and the commands that would free it', () => {
  const text = unstickPreview(plan([object('w'), queue('q')])).join('\n');
  assert.match(text, /^STUCK FOR +OBJECT +HELD BY +VERDICT$/m);
  assert.match(text, /^60m +widget\.example\.com\/w +example\.com\/cleanup +no controller \S+ it was found/m);
  assert.match(text, /2 objects terminating\./);
  assert.match(text, /^2 can be freed:$/m);
  assert.match(
    text,
    /^ {2}kubectl jobctl unstick widget\.example\.com\/w -n batch --finalizer example\.com\/cleanup$/m,
  );
  assert.match(
    text,
    /^ {2}kubectl jobctl unstick scaledjob\.keda\.sh\/q -n batch --finalizer finalizer\.keda\.sh$/m,
  );
});

test('objects of a kind that one finalizer holds are freed by one command', () => {
  const text = unstickPreview(plan([object('a'), object('b'), object('c')])).join('\n');
  assert.match(text, /^3 can be freed:$/m);
  assert.equal(text.match(/kubectl jobctl unstick/g)?.length, 1);
  assert.match(
    text,
    /kubectl jobctl unstick widgets\.example\.com -n batch --finalizer example\.com\/cleanup$/m,
  );
});

test('a plan with actions says what will be removed, what follows and what stays', () => {
  const owner = looked.object(anObject(kinds.cronJob, 'c', { ...stuck, finalizers: ['foregroundDeletion'] }));
  const below = object('w', { owners: ownedBy(owner.object) });
  const made = plan([owner, below, queue('q')], { finalizers: [cleanup] });
  const text = unstickPreview(made).join('\n');
  assert.match(text, /will be removed: no controller \S+ it was found/);
  assert.match(text, /goes without further help then/);
  assert.match(
    text,
    /^1 object will be freed of 1 finalizer\. 1 other will go without further help\. 1 stays as it is\.$/m,
  );
});

test('a dry run says would', () =>
  assert.match(
    unstickPreview(plan([object('w')], { finalizers: [cleanup], dryRun: 'client' })).join('\n'),
    /1 object would be freed of 1 finalizer\./,
  ));

test('under -A each row has its namespace, and the oldest comes first', () => {
  const older = object('older', { deletingSince: new Date(0) });
  const rows = unstickPreview(plan([object('a'), older], { allNamespaces: true }, { allNamespaces: true }));
  const at = rows.findIndex(row => /^NAMESPACE +STUCK FOR/.test(row));
  assert.match(rows[at + 1] ?? '', /^batch +\S+ +widget\.example\.com\/older/);
});

test('of many rows forty are shown, and -o wide shows all', () => {
  const many = plan(Array.from({ length: 60 }, (_unused, at) => object(`w${at}`)));
  const [short, wide] = [unstickPreview(many), unstickPreview(many, true)];
  assert.match(short.join('\n'), /^… \d+ more \(-o wide shows all\)$/m);
  assert.doesNotMatch(wide.join('\n'), /more \(-o wide/);
  assert.equal(wide.filter(row => /widget\.example\.com\/w\d+ /.test(row)).length, 60);
});

test('U23: a live object is refused with the reason', () => {
  const { deletingSince: _, ...live } = object('w').object;
  const alive = looked.object(live);
  const text = unstickPreview(plan([alive], { finalizers: [cleanup] }, { named: [alive] })).join('\n');
  assert.match(text, /refused: not being deleted/);
});

test('U25: what may not be patched is named as kubectl names it', () => {
  const pod = looked.object(anObject(kinds.pod, 'p', { ...stuck, finalizers: [cleanup] }));
  const mayPatch = new Map([[pod.object.ref.uid, 'no' as const]]);
  const text = unstickPreview(plan([pod], { finalizers: [cleanup] }, { mayPatch })).join('\n');
  assert.match(text, /you may not patch pods in batch/);
});

test('names, finalizers and warnings of the cluster reach the preview, the question and the list without control characters', () => {
  const nasty = object('w', {
    finalizers: [`example.com/${evil}`],
    managers: [{ tool: 'argocd', name: evil }],
    writers: [{ manager: evil, finalizers: [`example.com/${evil}`] }],
  });
  const warnings = [{ about: nasty.object.ref.uid, reason: evil, message: evil, from: evil, at: new Date() }];
  for (const options of [{}, { allFinalizers: true }]) {
    const made = plan([nasty], options, { evidence: { warnings } });
    const choices = choicesOf(made).map(({ name }) => name);
    for (const line of [...unstickPreview(made), ...choices, questionOf(made)])
      assert.doesNotMatch(line, control);
    assert.equal(choices.length, 1);
  }
});

test('of a list nothing is ticked at first, and each line says what a removal costs', () => {
  assert.deepEqual(
    choicesOf(plan([object('w')])).map(({ name, checked }) => [name, checked]),
    [
      [
        'batch  widget.example.com/w  example.com/cleanup: something outside of the cluster may be left behind',
        false,
      ],
    ],
  );
});

test('the question names the finalizer, the place and the danger', () =>
  assert.equal(
    questionOf(plan([object('w')], { finalizers: [cleanup] })),
    'Free 1 Widget of example.com/cleanup in namespace batch of prod? (something outside of the cluster may be left behind)',
  ));

// --- the lines while it runs -----------------------------------------------------------------------------------------------

const freeing = plan([object('w')], { finalizers: [cleanup] });
const action = freeing.actions[0] ?? assert.fail('a plan with one removal');
const ended: Event = { type: 'end', ms: 1234, throttled: 0 };
const freed: Event = { type: 'freed', action, state: 'removed' };
const gone: Event = { type: 'seen-gone', target: action.target, as: 'target', by: 'us' };
const held = (code: LeftCode, facts: Facts): Event => ({
  type: 'stays-held',
  left: { target: action.target, code, facts },
});

function told(
  events: readonly Event[],
  form: 'text' | 'name' | 'json' = 'text',
  made: UnstickPlan = freeing,
) {
  const renderer = rendererFor({ form, asks: false });
  const counting = new Counting();
  const out: string[] = [];
  const err: string[] = [];
  for (const event of [{ type: 'plan', plan: made } as const, ...events]) {
    counting.add(event);
    const lines = renderer.on(event);
    // the preview has its own tests
    if (event.type === 'plan') continue;
    out.push(...(lines.out ?? []));
    err.push(...(lines.err ?? []));
  }
  const code = exitCodeOf(counting.tally);
  const last = renderer.end(counting.tally, code);
  return { out: [...out, ...(last.out ?? [])], err: [...err, ...(last.err ?? [])], code };
}

test('a removal and the end of its object are a line each on standard output, and a summary on standard error', () =>
  assert.deepEqual(told([freed, gone, ended]), {
    out: [
      'widget.example.com/w finalizers removed: example.com/cleanup',
      'widget.example.com "w" deleted from batch namespace',
    ],
    err: ['1 object freed and gone, 0 failed (1.2s)'],
    code: 0,
  }));

const ways: readonly [string, Event, RegExp, number][] = [
  [
    'U08: it came back',
    held('came-back', { finalizers: cleanup, by: 'widget-operator' }),
    /w is still there: .*widget-operator/,
    2,
  ],
  [
    'U08: it came back, nobody knows from whom',
    held('came-back', { finalizers: cleanup, by: '' }),
    /w is still there: /,
    2,
  ],
  [
    'it is held by another name',
    held('still-held', { finalizers: 'example.com/other' }),
    /example\.com\/other/,
    2,
  ],
  [
    'it is made anew',
    { type: 'made-anew', target: action.target },
    /widget\.example\.com\/w is there again, made anew/,
    0,
  ],
  [
    'it is refused',
    {
      type: 'not-freed',
      action,
      problem: { code: 'forbidden', text: 'Error from server (Forbidden): no' },
      blame: [],
    },
    /^widget\.example\.com\/w not changed: Error from server \(Forbidden\): no$/m,
    2,
  ],
  [
    'no clear answer came',
    { type: 'not-freed', action, problem: { code: 'timeout', text: 'too late' }, blame: [] },
    /^widget\.example\.com\/w may not be changed, no clear answer came: too late$/m,
    2,
  ],
  [
    'time is out',
    {
      type: 'timeout',
      afterMs: 5000,
      left: [{ target: action.target, code: 'lingers', facts: {} }],
      causes: [],
    },
    /timed out after 5s/,
    4,
  ],
];
for (const [about, event, expected, code] of ways) {
  test(`${about}: it is said, and the exit code is ${code}`, () => {
    const { err, code: ended_ } = told([freed, event, ended]);
    assert.match(err.join('\n'), expected);
    assert.doesNotMatch(err.join('\n'), nonsense);
    assert.equal(ended_, code);
  });
}

test('in the document an object that was gone when we came is not counted as freed by us', () => {
  const { out } = told([{ type: 'freed', action, state: 'already-gone' }, ended], 'json');
  const { summary } = JSON.parse(out.join('\n'));
  assert.deepEqual([summary.freed, summary.alreadyGone, summary.gone, summary.failed], [0, 1, 0, 0]);
});

test('a server dry run in which a removal was refused does not say that it would be accepted', () => {
  const dry = plan([object('w')], { finalizers: [cleanup], dryRun: 'server' });
  const refused: Event = { type: 'not-freed', action, problem: { code: 'forbidden', text: 'no' }, blame: [] };
  assert.match(told([refused, ended], 'text', dry).err.at(-1) ?? '', /^0 removals would be accepted/);
});
