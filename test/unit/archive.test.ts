// Files of evidence on a real disk: nobody else reads them, and nothing that was saved is ever written over.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openArchive } from '../../src/archive.ts';
import { ArchiveFailure, indexKind } from '../../src/model/saving.ts';

function aFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'jobctl-archive-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function* chunks(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
const sentence = async (call: Promise<unknown>): Promise<string> => {
  const failure = await call.catch((problem: unknown) => problem);
  assert.ok(failure instanceof ArchiveFailure, String(failure));
  return failure.message;
};

test('a new folder, and all in it, is for its owner alone', async t => {
  const dir = join(aFolder(t), 'deep', 'evidence');
  const archive = await openArchive(dir);
  assert.deepEqual(await archive.write(['batch', 'p', 'pod.before.json'], '{"ü":1}\n'), {
    file: 'batch/p/pod.before.json',
    bytes: 9,
  });
  assert.deepEqual(await archive.stream(['batch', 'p', 'main.before.log'], chunks('one\n', 'two\n')), {
    file: 'batch/p/main.before.log',
    bytes: 8,
  });
  await archive.writeIndex(`{"kind":"${indexKind}","files":2}\n`);
  assert.deepEqual(filesIn(dir), ['batch/p/main.before.log', 'batch/p/pod.before.json', 'index.json']);
  assert.equal(readFileSync(join(dir, 'batch/p/main.before.log'), 'utf8'), 'one\ntwo\n');
  for (const path of ['.', 'batch', 'batch/p']) assert.equal(modeOf(join(dir, path)), '700', path);
  for (const file of filesIn(dir)) assert.equal(modeOf(join(dir, file)), '600', file);
});

test('a second stop gets a folder of its own, and so does one that was killed before its index', async t => {
  const dir = aFolder(t);
  await (await openArchive(dir)).write(['batch', 'events.before.json'], 'first');
  const second = await openArchive(dir);
  assert.equal(second.dir, join(dir, 'run-2'));
  await second.write(['batch', 'events.before.json'], 'second');
  assert.equal((await openArchive(dir)).dir, join(dir, 'run-3'));
  assert.equal(readFileSync(join(dir, 'batch/events.before.json'), 'utf8'), 'first');
});

test('two stops that begin at once share no folder, also where a namespace is called run-2', async t => {
  const dir = aFolder(t);
  const archives = await Promise.all([openArchive(dir), openArchive(dir), openArchive(dir)]);
  assert.equal(new Set(archives.map(archive => archive.dir)).size, 3);
  const other = aFolder(t);
  await (await openArchive(other)).write(['run-2', 'events.before.json'], '');
  assert.equal((await openArchive(other)).dir, join(other, 'run-3'));
});

test('a folder with files of somebody else is refused, and left as it is', async t => {
  const dir = aFolder(t);
  writeFileSync(join(dir, 'notes.txt'), 'mine');
  assert.equal(
    await sentence(openArchive(dir)),
    `${dir} is not empty and holds no index.json of an earlier stop: nothing is saved among other files`,
  );
  writeFileSync(join(dir, 'index.json'), '{"kind":"Other"}');
  await sentence(openArchive(dir));
  assert.deepEqual(filesIn(dir), ['index.json', 'notes.txt']);
});

test('what cannot be written is told with path and cause', async t => {
  const dir = aFolder(t);
  const file = join(dir, 'file');
  writeFileSync(file, '');
  assert.equal(
    await sentence(openArchive(file)),
    `cannot write ${file}: there is a file of this name already`,
  );
  const below = join(file, 'below');
  assert.equal(await sentence(openArchive(below)), `cannot write ${below}: a part of the path is no folder`);
});

test('names of the cluster do not lead out of the folder', async t => {
  const dir = aFolder(t);
  const inner = join(dir, 'inner');
  mkdirSync(inner);
  const archive = await openArchive(inner);
  const { file } = await archive.write(['..', '../../x', '/etc/passwd'], 'x');
  assert.equal(file, '%2e%2e/%2e.%2f..%2fx/%2fetc%2fpasswd');
  assert.deepEqual(readdirSync(dir), ['inner']);
});

test('two things of one path are two files; a file and a folder of one name too', async t => {
  const archive = await openArchive(aFolder(t));
  const write = async (...path: string[]) => (await archive.write(path, path.join())).file;
  assert.equal(await write('a', 'x.before.log'), 'a/x.before.log');
  assert.equal(await write('a', 'x.before.log'), 'a/x~2.before.log');
  assert.equal(await write('a', 'x.before.log', 'inside'), 'a/x~3.before.log/inside');
  assert.equal(await write('a', 'x.before.log', 'other'), 'a/x~3.before.log/other');
  assert.equal(await write('index.json'), 'index~2.json');
});

test('a stream that breaks off leaves what had come, under a name that says so', async t => {
  const dir = aFolder(t);
  const archive = await openArchive(dir);
  const broken = new Error('broken');
  const path = ['batch', 'p', 'main.before.log'];
  assert.deepEqual(await archive.stream(path, chunks('half', broken)), {
    file: 'batch/p/main.before.log.partial',
    bytes: 4,
    brokenBy: broken,
  });
  assert.equal((await archive.stream(path, chunks('whole'))).file, 'batch/p/main~2.before.log');
  assert.deepEqual(filesIn(dir), [
    'batch/p/main.before.log.partial',
    'batch/p/main~2.before.log',
    'index.json',
  ]);
});

test('the index is replaced whole, and nothing of the old one stays', async t => {
  const dir = aFolder(t);
  const archive = await openArchive(dir);
  await archive.writeIndex('{"files":["a long one"]}');
  await archive.writeIndex('{}');
  assert.equal(readFileSync(join(dir, 'index.json'), 'utf8'), '{}');
  assert.deepEqual(filesIn(dir), ['index.json']);
});

test('where a file cannot be made, its stream is ended', async t => {
  const dir = aFolder(t);
  const archive = await openArchive(dir);
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.from('x');
    } finally {
      ended = true;
    }
  }
  await archive.write(['batch', 'p', 'other'], '');
  writeFileSync(join(dir, 'batch/p/main.log.partial'), 'in the way');
  await sentence(archive.stream(['batch', 'p', 'main.log'], endless()));
  assert.ok(ended);
  assert.ok(!existsSync(join(dir, 'batch/p/main.log')));
});
