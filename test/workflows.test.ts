// What GitHub is asked to do: run the project's own scripts, with as few rights as that takes, from actions that nobody can change.
import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly needs?: string; readonly permissions?: unknown; readonly steps: readonly Step[] }
    >
  >;
}

const placeOf = (name: string): URL => new URL(`../${name}`, import.meta.url);
const read = (name: string): string => readFileSync(placeOf(name), 'utf8');
const folder = '.github/workflows';
const workflows = new Map(
  readdirSync(placeOf(folder)).map(name => [name, parse(read(`${folder}/${name}`)) as Workflow]),
);
const workflow = (name: string): Workflow => workflows.get(name) ?? assert.fail(`there is no ${name}`);
const stepsOf = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const allSteps = [...workflows.values()].flatMap(stepsOf);

test('a release is started by a tag and by nothing else; pushes and pull requests are tested', () => {
  assert.deepEqual([...workflows.keys()].sort(), ['ci.yml', 'release.yml']);
  assert.deepEqual(workflow('release.yml').on, { push: { tags: ['v*'] } });
  assert.deepEqual(workflow('ci.yml').on, { push: { branches: ['**'] }, pull_request: null });
});

test('each job may do what it is for, and only what publishes may write', () => {
  const rights = ({ permissions, jobs }: Workflow) => ({
    all: permissions,
    ...Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions])),
  });
  assert.deepEqual(rights(workflow('ci.yml')), { all: { contents: 'read' }, test: undefined });
  assert.deepEqual(rights(workflow('release.yml')), {
    all: {},
    build: { contents: 'read' },
    publish: { contents: 'write', 'id-token': 'write', attestations: 'write' },
    krew: { contents: 'read' },
  });
});

test('the job that may publish runs nothing of the checkout, and has none', () => {
  const { steps = [] } = workflow('release.yml').jobs['publish'] ?? {};
  assert.ok(steps.length > 0);
  assert.ok(
    steps.every(({ uses = '', run = '' }) => !uses.startsWith('actions/checkout') && !/npm|\.ci/.test(run)),
  );
});

test('every action is named by its commit, the same one everywhere, with its version behind it', () => {
  const used = [...workflows.keys()].flatMap(name =>
    [...read(`${folder}/${name}`).matchAll(/uses: (.*)$/gm)].map(([, text]) => text ?? ''),
  );
  assert.equal(used.length, allSteps.filter(({ uses }) => uses !== undefined).length);
  const commits = new Map<string, string>();
  for (const text of used) {
    const [, action = '', commit = ''] =
      /^([\w.-]+\/[\w.-]+)@([0-9a-f]{40}) # v\d+\.\d+\.\d+$/.exec(text) ?? [];
    assert.notEqual(action, '', text);
    assert.equal(commits.get(action) ?? commit, commit, action);
    commits.set(action, commit);
  }
});

test('what is run is there: scripts of package.json, .ci/run, and two commands that every runner has', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const lines = allSteps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  assert.ok(lines.length >= 5);
  for (const line of lines) {
    const script = /^npm run (?:--silent )?([\w:]+)/.exec(line)?.[1];
    if (script !== undefined) assert.ok(scripts[script], line);
    else assert.match(line, /^(?:sudo env .* \.ci\/run$|sha256sum --check |gh release create )/);
    assert.ok(!line.includes('${{'), `${line}: who can name a tag could run commands here`);
  }
  accessSync(placeOf('.ci/run'), constants.X_OK);
});

test('files that the workflows name are there', () => {
  const named = allSteps.flatMap(step => {
    const file = step.with?.['go-version-file'];
    return typeof file === 'string' ? [file] : [];
  });
  assert.equal(named.length, workflows.size);
  for (const name of named) assert.ok(existsSync(placeOf(name)), name);
});

test('a tag that does not fit ends a release first; what is published is what was tested, whole', () => {
  const { jobs } = workflow('release.yml');
  assert.deepEqual(
    Object.entries(jobs).map(([name, { needs }]) => [name, needs]),
    [
      ['build', undefined],
      ['publish', 'build'],
      ['krew', 'publish'],
    ],
  );
  const [notes = '', tests = '', ...others] = (jobs['build']?.steps ?? []).flatMap(({ run }) => run ?? []);
  assert.match(notes, /^npm run --silent release:notes -- "\$GITHUB_REF_NAME" > notes\.md$/);
  assert.match(tests, /\.ci\/run$/);
  assert.deepEqual(others, ['sha256sum --check checksums.txt']);
  const upload = jobs['build']?.steps.at(-1);
  assert.match(upload?.uses ?? '', /^actions\/upload-artifact@/);
  assert.deepEqual(upload?.with?.['path'], 'dist/\nnotes.md\n');
  const published = jobs['publish']?.steps.at(-1)?.run ?? '';
  assert.match(
    published,
    /^gh release create "\$GITHUB_REF_NAME" --verify-tag .* --notes-file notes\.md dist\/\*$/,
  );
});
