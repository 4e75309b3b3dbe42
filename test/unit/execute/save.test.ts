// Evidence into files: what is asked for, what is told, and that one thing that cannot be had keeps nothing else from being saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterReader, LogQuery, LogRead, Read } from '../../../src/cluster/contract.ts';
import { Evidence } from '../../../src/execute/save.ts';
import type { Event } from '../../../src/model/event.ts';
import type { Problem } from '../../../src/model/problem.ts';
import type { Ref } from '../../../src/model/ref.ts';
import {
  type Archive,
  ArchiveFailure,
  LogFailure,
  type Saved,
  type ToSave,
} from '../../../src/model/saving.ts';
import type { ContainerState, WorkingPod } from '../../../src/model/working-pod.ts';
import { anObject, kinds, now } from '../nouns.ts';
import { aWorkingPod } from '../stop-nouns.ts';

const job = anObject(kinds.job, 'nightly-1').ref;
const source = anObject(kinds.cronJob, 'nightly').ref;

const running = (name: string, more: Partial<ContainerState> = {}): ContainerState => ({
  name,
  kind: 'container',
  is: 'running',
  restarts: 0,
  ...more,
});

function aPod(
  name: string,
  containers: readonly ContainerState[],
  more: Partial<WorkingPod> = {},
): WorkingPod {
  return {
    ...aWorkingPod(name, undefined, { node: 'node-1' }),
    containers,
    containerNames: containers.map(({ name, kind }) => ({ name, kind })),
    remembered: { state: 'none' },
    ...more,
  };
}

const forbidden: Problem = { code: 'forbidden', status: 403, text: 'Error from server (Forbidden): no' };
const noKubelet: Problem = {
  code: 'server-error',
  status: 500,
  text: 'Error from server: dial tcp: refused',
};
const gone: Problem = { code: 'unreachable', text: 'connection refused' };

/** The words of one log; an Error stands where it breaks off. */
type Log = readonly (string | Error)[];

interface World {
  readonly logs?: Readonly<Record<string, Log | LogRead>>;
  readonly manifest?: (ref: Pick<Ref, 'name'>) => Read<string> | undefined;
  readonly events?: Read<string[]>;
  /** What the disk does with a path. */
  readonly disk?: (path: string) => void;
}

const keyOf = ({ pod, container, previous }: LogQuery): string =>
  `${pod.name}/${container}${previous ? '/previous' : ''}`;

function aWorld(world: World) {
  const asked: string[] = [];
  const files = new Map<string, string>();
  let [atOnce, mostAtOnce, index] = [0, 0, ''];
  const read = {
    target: { server: 'https://x', namespace: 'batch', context: 'prod' },
    now: () => now,
    readText: async (kind: Ref['kind'], name: string): Promise<Read<string>> => {
      const own = world.manifest?.({ name });
      if (own !== undefined) return own;
      return {
        state: 'read',
        value: JSON.stringify({ metadata: { uid: `uid-${kind.kind}-batch-${name}` } }),
      };
    },
    listEventTexts: async (_: string, uids: ReadonlySet<string>) => {
      asked.push(`events of ${uids.size}`);
      return world.events ?? { state: 'read', value: ['{"reason":"Started"}'] };
    },
    openLog: async (query: LogQuery): Promise<LogRead> => {
      asked.push(keyOf(query));
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      const log = world.logs?.[keyOf(query)] ?? ['line\n'];
      return 'state' in log ? log : { state: 'read', value: chunksOf(log) };
    },
  } as Partial<ClusterReader> as ClusterReader;
  const keep = (path: readonly string[], text: string) => {
    world.disk?.(path.join('/'));
    files.set(path.join('/'), text);
    return { file: path.join('/'), bytes: text.length };
  };
  const archive: Archive = {
    dir: 'evidence',
    write: async (path, text) => keep(path, text),
    stream: async (path, chunks) => {
      let text = '';
      try {
        for await (const chunk of chunks) text += Buffer.from(chunk).toString();
        return keep(path, text);
      } catch (brokenBy) {
        return { ...keep([...path.slice(0, -1), `${path.at(-1)}.partial`], text), brokenBy };
      }
    },
    writeIndex: async text => {
      world.disk?.('index.json');
      index = text;
      return { file: 'index.json', bytes: text.length };
    },
  };
  const interrupt = new AbortController();
  const by = { command: 'kubectl jobctl stop cj/nightly', version: '1.0.0', user: 'ann' };
  const evidence = new Evidence({ archive, read, signal: interrupt.signal, by });
  const save = async (what: Partial<ToSave>, moment: 'before' | 'after' = 'before') => {
    const events: Event[] = [];
    const all = { sources: [], jobs: [], pods: [], ...what };
    for await (const event of evidence.save(all, moment)) events.push(event);
    const last = events.at(-1);
    assert.equal(last?.type, 'saved');
    return { events, saved: last.saved };
  };
  return {
    save,
    asked,
    files,
    interrupt,
    index: () => JSON.parse(index),
    mostAtOnce: () => mostAtOnce,
  };
}

async function* chunksOf(log: Log): AsyncGenerator<Uint8Array> {
  for (const one of log) {
    if (one instanceof Error) throw one;
    yield Buffer.from(one);
  }
}

const notSaved = ({ notSaved }: Saved): string[] =>
  notSaved.map(
    ({ target, what, facts, problem }) =>
      `${what} ${target?.name ?? ''} ${Object.values(facts).join(' ')}: ${problem.code}`,
  );

test('manifests, events and the log of every container are saved, and the index lists them', async () => {
  const { save, files, index } = aWorld({});
  const pod = aPod('p', [running('main'), running('wait', { kind: 'init', is: 'terminated' })]);
  const { saved } = await save({ sources: [source], jobs: [job], pods: [pod] });
  assert.deepEqual(
    [...files.keys()],
    [
      'batch/cronjob.batch/nightly.before.json',
      'batch/job.batch/nightly-1.before.json',
      'batch/p/pod.before.json',
      'batch/events.before.json',
      'batch/p/main.before.log',
      'batch/p/wait.before.log',
    ],
  );
  const bytes = [...files.values()].join('').length;
  assert.deepEqual(saved, { moment: 'before', dir: 'evidence', files: 6, bytes, notSaved: [], gone: [] });
  assert.deepEqual(JSON.parse(files.get('batch/events.before.json') ?? ''), {
    apiVersion: 'v1',
    kind: 'EventList',
    items: [{ reason: 'Started' }],
  });
  const { files: listed, moments, ...head } = index();
  assert.deepEqual(head, {
    apiVersion: 'jobctl/v1',
    kind: 'SavedEvidence',
    command: 'kubectl jobctl stop cj/nightly',
    version: '1.0.0',
    user: 'ann',
    server: 'https://x',
    context: 'prod',
    notSaved: [],
    noLog: [],
    gone: [],
  });
  assert.deepEqual(moments, [{ moment: 'before', from: now.toISOString(), to: now.toISOString() }]);
  assert.deepEqual(listed.at(-1), {
    file: 'batch/p/wait.before.log',
    bytes: 5,
    what: 'log',
    moment: 'before',
    object: { apiVersion: 'v1', kind: 'Pod', namespace: 'batch', name: 'p', uid: 'uid-Pod-batch-p' },
    complete: true,
    container: 'wait',
    previous: false,
    restarts: 0,
  });
});

test('the log of the run before is asked for where a container was started anew', async () => {
  const { save, asked } = aWorld({});
  await save({ pods: [aPod('p', [running('main', { restarts: 2 }), running('side')])] });
  assert.deepEqual(asked, ['events of 1', 'p/main', 'p/main/previous', 'p/side']);
});

test('a container that never started has no log, and that is no failure', async () => {
  const absent: LogRead = { state: 'absent', text: 'waiting to start: ContainerCreating' };
  const unheardOf: LogRead = {
    state: 'unreadable',
    problem: { code: 'not-found', status: 404, text: 'pods/log' },
  };
  const { save, index } = aWorld({ logs: { 'p/main': absent, 'q/main': unheardOf } });
  const waiting = [running('main', { is: 'waiting' })];
  const { saved } = await save({ pods: [aPod('p', waiting), aPod('q', waiting)] });
  assert.deepEqual(saved.notSaved, []);
  assert.deepEqual(
    index().noLog.map(({ text }: { text: string }) => text),
    ['waiting to start: ContainerCreating', 'pods/log'],
  );
});

test('the kubelet knows nothing of a container that has run: that is a failure', async () => {
  const unheardOf: LogRead = {
    state: 'unreadable',
    problem: { code: 'not-found', status: 404, text: 'pods/log' },
  };
  const { save } = aWorld({ logs: { 'p/main': unheardOf } });
  const { saved } = await save({ pods: [aPod('p', [running('main')])] });
  assert.deepEqual(notSaved(saved), ['log p main: not-found']);
});

test('what may not be read is told, and the rest is saved', async () => {
  const { save, index } = aWorld({
    logs: { 'p/main': { state: 'unreadable', problem: forbidden } },
    events: { state: 'unreadable', problem: forbidden },
  });
  const { saved } = await save({ jobs: [job], pods: [aPod('p', [running('main'), running('side')])] });
  assert.deepEqual(notSaved(saved), ['events nightly-1 batch: forbidden', 'log p main: forbidden']);
  assert.equal(saved.files, 3);
  assert.equal(index().notSaved.length, 2);
});

test('an object that is gone, or another one of its name, is told as gone', async () => {
  const { save, index } = aWorld({
    manifest: ({ name }) =>
      name === 'p' ? { state: 'absent' } : { state: 'read', value: '{"metadata":{"uid":"another"}}' },
    logs: { 'p/main': { state: 'gone' } },
  });
  const { saved } = await save({ jobs: [job], pods: [aPod('p', [running('main')])] });
  assert.deepEqual(saved.gone.map(({ name }) => name).sort(), ['nightly-1', 'p']);
  assert.deepEqual(saved.notSaved, []);
  assert.equal(index().gone.length, 3);
});

test('a log that breaks off is asked for once more; both files are in the index', async () => {
  let times = 0;
  const broken = new LogFailure(gone);
  const { save, index } = aWorld({
    logs: {
      get 'p/main'(): Log {
        times += 1;
        return times === 1 ? ['half', broken] : ['half and whole'];
      },
    },
  });
  const { saved } = await save({ pods: [aPod('p', [running('main')])] });
  assert.deepEqual(saved.notSaved, []);
  const logs = index().files.filter(({ what }: { what: string }) => what === 'log');
  assert.deepEqual(
    logs.map(({ file, complete }: { file: string; complete: boolean }) => [file, complete]),
    [
      ['batch/p/main.before.log.partial', false],
      ['batch/p/main.before.log', true],
    ],
  );
});

test('a log that breaks off twice is a failure that names what there is of it; the others go on', async () => {
  const broken = new LogFailure(gone);
  const { save } = aWorld({ logs: { 'p/main': ['half', broken] } });
  const { saved } = await save({ pods: [aPod('p', [running('main'), running('side')])] });
  assert.deepEqual(notSaved(saved), ['log p main batch/p/main.before.log.partial 4: unreachable']);
  assert.ok(saved.files > 3);
});

test('a node whose kubelet is not to be reached is waited for once, at each moment', async () => {
  const pods = Array.from({ length: 30 }, (_, at) => aPod(`p${at}`, [running('main')]));
  const logs = Object.fromEntries(
    pods.map(({ ref }) => [`${ref.name}/main`, { state: 'unreadable', problem: noKubelet } as const]),
  );
  const { save, asked, mostAtOnce } = aWorld({ logs });
  const other = aPod('other', [running('main')], { node: 'node-2' });
  const { saved } = await save({ pods: [...pods, other] });
  assert.equal(saved.notSaved.length, 30);
  assert.ok(asked.includes('other/main'));
  assert.ok(asked.length <= 10, `${asked.length} were asked`);
  assert.ok(mostAtOnce() <= 8);
  asked.length = 0;
  await save({ pods }, 'after');
  assert.ok(asked.length > 1);
});

test('the log of an ended container is not fetched twice: the index says which file holds it', async () => {
  const { save, asked, index } = aWorld({});
  const ended = running('wait', { kind: 'init', is: 'terminated' });
  await save({ pods: [aPod('p', [ended, running('main')])] });
  asked.length = 0;
  const now = [ended, running('main', { is: 'terminated', restarts: 1 })];
  const { saved } = await save({ pods: [aPod('p', now)] }, 'after');
  assert.deepEqual(asked, ['events of 1', 'p/main', 'p/main/previous']);
  assert.equal(saved.files, 4);
  const last = index().files.filter(
    ({ moment, container }: { moment: string; container: string }) =>
      moment === 'after' && container === 'wait',
  );
  assert.deepEqual(
    last.map(({ file, unchanged }: { file: string; unchanged: boolean }) => [file, unchanged]),
    [['batch/p/wait.before.log', true]],
  );
});

test('a full disk ends it: nothing more is asked for, and everything that is missing is told', async () => {
  const full = 'cannot write evidence/batch/p0/main.before.log: no space is left on the device';
  const { save, asked } = aWorld({
    disk: path => {
      if (path.endsWith('.log') || path === 'index.json') throw new ArchiveFailure(full);
    },
  });
  const pods = Array.from({ length: 40 }, (_, at) => aPod(`p${at}`, [running('main')]));
  const { saved } = await save({ pods });
  assert.equal(saved.notSaved.length, 41);
  assert.ok(asked.length <= 10);
  assert.deepEqual([...new Set(saved.notSaved.map(({ problem }) => problem.text))], [full]);
  assert.deepEqual(notSaved(saved).at(-1), 'index  : not-written');
});

test('a server that is not there any more ends it, and so does the user', async () => {
  const dead = aWorld({ events: { state: 'unreadable', problem: gone } });
  const pods = Array.from({ length: 40 }, (_, at) => aPod(`p${at}`, [running('main')]));
  const { saved } = await dead.save({ pods });
  assert.ok(saved.notSaved.length >= 32);
  assert.deepEqual([...new Set(saved.notSaved.map(({ problem }) => problem.code))], ['unreachable']);
  const stopped = aWorld({});
  stopped.interrupt.abort();
  assert.deepEqual(notSaved((await stopped.save({ jobs: [job] })).saved), [
    'manifest nightly-1 : interrupted',
    'events nightly-1 batch: interrupted',
  ]);
});

test('progress is told after each piece, and in the middle of a big log', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  const { save } = aWorld({ logs: { 'p/main': Array.from({ length: 40 }, () => megabyte) } });
  const { events } = await save({ pods: [aPod('p', [running('main')])] });
  const progress = events.filter(event => event.type === 'saving');
  assert.deepEqual(progress.at(-1), { type: 'saving', done: 3, total: 3, bytes: progress.at(-1)?.bytes });
  const inTheMiddle = progress.filter(({ done, bytes }) => done === 2 && bytes > 1024 * 1024);
  assert.ok(inTheMiddle.length >= 3, `${inTheMiddle.length}`);
});
