// deploy/ as far as it can be told without a cluster: its roles are those of the documents, its command lines parse, its numbers agree.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { exitCodes } from '../src/errors.ts';
import { readCommandLine } from '../src/program.ts';
import { readLastStage } from './e2e/in-cluster-image.ts';

const root = resolve(import.meta.dirname, '..');
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');

interface CronJob {
  readonly kind: string;
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly podFailurePolicy: {
          readonly rules: readonly {
            readonly onExitCodes?: { readonly containerName: string; readonly values: readonly number[] };
          }[];
        };
        readonly template: {
          readonly spec: {
            readonly activeDeadlineSeconds: number;
            readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
            readonly containers: readonly { readonly name: string; readonly args: readonly string[] }[];
          };
        };
      };
    };
  };
}

const cronJobFiles = ['base/cron-job.yaml', 'components/prune-pods/cron-job.yaml'];
const jobSpecOf = (file: string) => (parse(read('deploy', file)) as CronJob).spec.jobTemplate.spec;
const containerOf = (file: string) => {
  const [container] = jobSpecOf(file).template.spec.containers;
  assert.ok(container, file);
  return container;
};

test('the roles are those of the documents, which are tried rule by rule', () => {
  assert.equal(read('deploy', 'base', 'role.yaml'), read('docs', 'roles', 'prune-jobs.yaml'));
  assert.equal(
    read('deploy', 'components', 'prune-pods', 'role.yaml'),
    read('docs', 'roles', 'prune-pods.yaml'),
  );
});

test('the command lines parse, as a run without a question, and with a limit', async () => {
  for (const file of cronJobFiles) {
    const asked = await readCommandLine(containerOf(file).args, '0', 100);
    assert.ok(asked.do === 'run', file);
    const options = asked.command.options(asked.words, asked.texts);
    assert.ok(options.verb === 'prune jobs' || options.verb === 'prune pods', file);
    const { yes, dryRun, output, allNamespaces, max = 0 } = options;
    assert.deepEqual(
      { yes, dryRun, output, allNamespaces },
      { yes: true, dryRun: 'none', output: 'jsonl', allNamespaces: true },
    );
    assert.ok(max > 0);
  }
});

test('exit codes that end a run are ours, and of its container; what another try may mend is not among them', () => {
  for (const file of cronJobFiles) {
    const rules = jobSpecOf(file).podFailurePolicy.rules.flatMap(({ onExitCodes }) => onExitCodes ?? []);
    assert.deepEqual(
      rules.map(({ containerName, values }) => [containerName, values]),
      [[containerOf(file).name, [exitCodes.refused, exitCodes.timeout, exitCodes.bug]]],
    );
  }
});

test('the time of a try is limited at its Pod: a Job whose time is out deletes its Pods, and the report with them', () => {
  for (const file of cronJobFiles) {
    const job = jobSpecOf(file);
    assert.ok(job.template.spec.activeDeadlineSeconds > 0, file);
    assert.ok(!('activeDeadlineSeconds' in job), file);
  }
});

test('the shards: as many completions as Pods at once, and each takes its part of that number', async () => {
  const operations = parse(read('deploy', 'overlays', 'shards', 'shards.yaml')) as readonly {
    readonly path: string;
    readonly value?: unknown;
  }[];
  const valueAt = (end: string) => operations.find(({ path }) => path.endsWith(end))?.value;
  const shards = valueAt('/completions');
  assert.equal(valueAt('/parallelism'), shards);
  assert.equal(valueAt('/args/-'), `--shard=$(JOB_COMPLETION_INDEX)/${shards}`);
  const { args } = containerOf('base/cron-job.yaml');
  const added = operations.filter(({ path }) => path.endsWith('/args/-')).map(({ value }) => String(value));
  const limitOf = async (words: readonly string[]) => {
    const asked = await readCommandLine(words, '0', 100);
    assert.ok(asked.do === 'run');
    const options = asked.command.options(asked.words, asked.texts);
    return options.verb === 'prune jobs' ? options.max : undefined;
  };
  const whole = (await limitOf(args)) ?? assert.fail('no limit');
  for (const index of [0, Number(shards) - 1]) {
    const own = added.map(value => value.replace('$(JOB_COMPLETION_INDEX)', String(index)));
    assert.equal(await limitOf([...args, ...own]), whole / Number(shards));
  }
});

test('every file of deploy/ is named by a kustomization, and every file that is named is there', () => {
  const deploy = join(root, 'deploy');
  const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.yaml'),
  );
  const kustomizations = files.filter(file => file.endsWith('kustomization.yaml'));
  const named = kustomizations.flatMap(file => {
    const { resources = [], patches = [] } = parse(read('deploy', file)) as {
      readonly resources?: readonly string[];
      readonly patches?: readonly { readonly path: string }[];
    };
    return [...resources, ...patches.map(({ path }) => path)].map(name => join(file, '..', name));
  });
  assert.deepEqual(
    named.filter(name => !existsSync(join(deploy, name))),
    [],
  );
  assert.deepEqual(
    files.filter(file => !kustomizations.includes(file) && !named.includes(file)),
    [],
  );
  for (const file of files)
    for (const document of parseAllDocuments(read('deploy', file)))
      assert.deepEqual(document.errors, [], file);
});

test('the image starts the binary as the user that the manifests ask for', () => {
  const { user, entrypoint, copies } = readLastStage(read('Dockerfile'));
  for (const file of cronJobFiles) {
    const { runAsUser, runAsGroup } = jobSpecOf(file).template.spec.securityContext;
    assert.equal(user, `${runAsUser}:${runAsGroup}`, file);
  }
  assert.deepEqual(entrypoint, [copies[0]?.to]);
});
