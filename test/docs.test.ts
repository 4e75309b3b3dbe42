// The pages in docs/ and what is made for them: never stale, whole, and of no machine.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { withBlocks } from '../build/docs/blocks.ts';
import { current, pages } from '../build/docs/pages.ts';
import { docs, root } from '../build/docs/places.ts';
import { type PlannedVerb, verbsOfNote, verbsOfReason } from '../build/docs/verb-codes.ts';
import { verbPages } from '../build/docs/verbs.ts';
import { readCommandLine } from '../src/program.ts';

test('what is generated in the documents is what the code says now: node build/docs/docs.ts', () => {
  const stale = pages().filter(page => current(page) !== page.text);
  assert.deepEqual(
    stale.map(({ name }) => name),
    [],
  );
});

test('a part that somebody has changed by hand is made anew; a mark without a partner, or with a name that nobody knows, is an error', () => {
  const page = 'a\n<!-- generated: x y -->\nold\n<!-- end -->\nb\n';
  const made = withBlocks(page, (name, words) => `${name} of ${words.join()}`);
  assert.equal(made, 'a\n<!-- generated: x y -->\nx of y\n<!-- end -->\nb\n');
  assert.throws(() => withBlocks('<!-- generated: x -->\nold\n', () => ''), /needs its <!-- end -->/);
  assert.throws(
    () => current({ name: 'docs/x.md', path: '', text: '<!-- generated: nothing -->\n<!-- end -->\n' }),
    /docs\/x\.md: nothing is called "nothing"/,
  );
});

test('each verb has a page with its usage, examples, flags and reasons, and with the role that it needs', () => {
  for (const verb of verbPages) {
    const text = readFileSync(join(docs, `${verb}.md`), 'utf8');
    const parts = ['usage', 'examples', 'flags'].map(part => `<!-- generated: ${part} ${verb} -->`);
    const reasons = verb === 'status' ? 'status-findings' : `reasons ${verb}`;
    for (const part of [...parts, `<!-- generated: ${reasons} -->`])
      assert.ok(text.includes(part), `${verb}: ${part}`);
    assert.match(text, verb === 'resume' ? /stop\.md#role/ : /<!-- generated: role /, verb);
  }
});

const planners: Record<PlannedVerb, string> = {
  delete: 'delete.ts',
  'prune-jobs': 'prune-jobs.ts',
  'prune-pods': 'prune-pods.ts',
  unstick: 'unstick.ts',
  stop: 'stop.ts',
  resume: 'resume.ts',
};

/** The planner and all that it imports, but for types: that is where the codes it gives are named. */
function sourceOf(file: string, seen: Set<string>): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/^import (?!type )[^'"]*?from '(\.[^']+)'/gm)].map(([, path = '']) =>
    sourceOf(join(dirname(file), path), seen),
  );
  return [text, ...imported].join('\n');
}

test('a code stands on the page of a verb only if the planner of that verb names it', () => {
  for (const [verb, file] of Object.entries(planners) as [PlannedVerb, string][]) {
    const source = sourceOf(join(root, 'src', 'plan', file), new Set());
    const listed = Object.entries({ ...verbsOfReason, ...verbsOfNote }).filter(([, verbs]) =>
      verbs.includes(verb),
    );
    assert.ok(listed.length > 5);
    assert.deepEqual(
      listed.map(([code]) => code).filter(code => !source.includes(`'${code}'`)),
      [],
      verb,
    );
  }
});

test('no plan of the album has a code that is not on the page of its verb', () => {
  const album = join(root, 'test', 'golden');
  const folders: Partial<Record<string, PlannedVerb>> = { prune: 'prune-jobs' };
  const all = readdirSync(album, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.plan.yaml'),
  );
  assert.ok(all.length > 10);
  for (const file of all) {
    const [folder = ''] = file.split('/');
    const verb = folders[folder] ?? (folder as PlannedVerb);
    const plan = parse(readFileSync(join(album, file), 'utf8')) as { findings: string[]; notes: string[] };
    const reasons = plan.findings.map(finding => finding.split(', ').at(-1) as keyof typeof verbsOfReason);
    const notes = plan.notes as (keyof typeof verbsOfNote)[];
    assert.deepEqual(
      reasons.filter(code => !verbsOfReason[code].includes(verb)),
      [],
      file,
    );
    assert.deepEqual(
      notes.filter(code => !verbsOfNote[code].includes(verb)),
      [],
      file,
    );
  }
});

test('every row of what really happens names a test of ours that is there', () => {
  const text = readFileSync(join(docs, 'what-really-happens.md'), 'utf8');
  const rows = text.split('\n').filter(line => line.startsWith('| '));
  const heads = rows.filter(line => line.endsWith('shown by |'));
  assert.ok(rows.length > 60 && heads.length > 6);
  const silent = rows.filter(line => !heads.includes(line) && !/`test\/[\w./-]+\.ts` \|$/.test(line));
  assert.deepEqual(silent, []);
  const named = [...new Set([...text.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, path]) => path ?? ''))];
  assert.deepEqual(
    named.filter(path => !existsSync(join(root, path))),
    [],
  );
});

test('every link leads to a file that is there, and to a heading of it', () => {
  const headings = (text: string) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  for (const { name, path, text } of pages()) {
    for (const [, target = '', heading] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)]+))?\)/g)) {
      if (target.startsWith('http')) continue;
      const file = target === '' ? path : resolve(dirname(path), target);
      assert.ok(existsSync(file), `${name}: ${target}`);
      if (heading !== undefined)
        assert.ok(headings(readFileSync(file, 'utf8')).includes(heading), `${name}: ${target}#${heading}`);
    }
  }
});

test('every page can be reached from the README', () => {
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path) || !path.endsWith('.md')) return;
    reached.add(path);
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(/\]\(([^)#\s]+)/g))
      if (!target.startsWith('http')) visit(resolve(dirname(path), target));
  };
  visit(join(root, 'README.md'));
  assert.deepEqual(
    pages()
      .map(({ name }) => name)
      .filter(name => !reached.has(join(root, name))),
    [],
  );
});

test('the documents name no folder, address or user of the machine on which they were made', () => {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map(file => join(docs, file))
    .filter(file => statSync(file).isFile());
  for (const file of [...files, join(root, 'README.md')]) {
    const found = /\/(?:tmp|root|home|work|Users)\/|127\.0\.0\.1|localhost|jobctl-test-/.exec(
      readFileSync(file, 'utf8'),
    );
    assert.equal(found?.[0], undefined, relative(root, file));
  }
});

test('the recording is small, and every command line in it parses', async () => {
  const file = join(docs, 'demo.svg');
  assert.ok(statSync(file).size < 200_000);
  const shown = readFileSync(file, 'utf8')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
  const lines = [...shown.matchAll(/^\$ kubectl jobctl (.+)$/gm)].map(([, line]) => line ?? '');
  assert.ok(lines.length > 8);
  for (const line of lines) assert.equal((await readCommandLine(line.split(' '), '0', 100)).do, 'run', line);
});
