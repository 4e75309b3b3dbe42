// The planner's album: for each world, the plan as a value and the preview as people see it. UPDATE=1 rewrites; a case without its
// picture fails.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import type { Plan } from '../../src/model/plan.ts';
import { label } from '../../src/model/ref.ts';
import { planDelete } from '../../src/plan/delete.ts';
import { planPruneJobs } from '../../src/plan/prune-jobs.ts';
import { planPrunePods } from '../../src/plan/prune-pods.ts';
import { planResume } from '../../src/plan/resume.ts';
import { planStop } from '../../src/plan/stop.ts';
import { planUnstick } from '../../src/plan/unstick.ts';
import { readCommandLine } from '../../src/program.ts';
import { rendererFor } from '../../src/report/choose-renderer.ts';
import { selectDelete } from '../../src/select/delete.ts';
import { selectPruneJobs } from '../../src/select/prune-jobs.ts';
import { selectPrunePods } from '../../src/select/prune-pods.ts';
import { selectResume } from '../../src/select/resume.ts';
import { selectStop } from '../../src/select/stop.ts';
import { selectUnstick } from '../../src/select/unstick.ts';
import { memoryReader } from './memory-reader.ts';
import { type Case, expand } from './world.ts';

const here = import.meta.dirname;
const verbs = ['prune', 'prune-pods', 'delete', 'unstick', 'stop', 'resume'];
const cases = verbs.flatMap(verb =>
  readdirSync(join(here, verb))
    .filter(file => file.endsWith('.world.yaml'))
    .map(file => join(verb, file.slice(0, -'.world.yaml'.length))),
);

async function planOf(world: Case): Promise<Plan> {
  const asked = await readCommandLine(world.argv.split(' '), '0', 100);
  if (asked.do !== 'run') throw new Error(`${world.argv} is no run`);
  const options = asked.command.options(asked.words, asked.texts);
  if (options.verb === 'status') throw new Error('what only looks has an album of its own');
  const read = memoryReader(expand(world), new Date(world.now));
  if (options.verb === 'prune pods') return planPrunePods(await selectPrunePods(options, read), options);
  if (options.verb === 'prune jobs') return planPruneJobs(await selectPruneJobs(options, read), options);
  const at = { read, signal: new AbortController().signal, readStdin: () => Promise.resolve('') };
  if (options.verb === 'unstick') {
    const stuckAt = {
      ...at,
      pause: () => Promise.resolve(),
      tell: () => Promise.resolve(),
      elapsedMs: () => 0,
    };
    return planUnstick(await selectUnstick(options, stuckAt), options);
  }
  if (options.verb === 'stop') return planStop(await selectStop(options, at), options);
  if (options.verb === 'resume') return planResume(await selectResume(options, at), options);
  return planDelete(await selectDelete(options, at), options);
}

/** What matters of a plan, small enough to be read in a review. */
function toPicture(plan: Plan): string {
  const { findings, notes, dangers } = plan;
  const preview = rendererFor({ form: 'text', asks: true }).on({ type: 'plan', plan });
  return stringify(
    {
      findings: findings.map(({ target, verdict, why }) => `${label(target)}: ${verdict}, ${why.code}`),
      ...whatIsDone(plan),
      notes: notes.map(note => note.code),
      dangers: [...dangers],
      digest: plan.digest,
      preview: `${[...(preview.out ?? []), ...(preview.err ?? [])].join('\n')}\n`,
    },
    { lineWidth: 0 },
  );
}

function whatIsDone(plan: Plan): object {
  if (plan.verb === 'unstick') {
    return {
      actions: plan.actions.map(
        ({ target, remove, where, wave }) => `${wave}: ${label(target)} ${where} loses ${remove.join(', ')}`,
      ),
      follows: plan.aftermath.follows.map(({ target }) => label(target)),
    };
  }
  if (plan.verb === 'stop' || plan.verb === 'resume') {
    return {
      actions: plan.actions.map(
        ({ target, does, changes }) =>
          `${label(target)} ${does} ${changes.map(({ path, was, set }) => `${path} ${was} → ${set}`).join(', ')}`,
      ),
    };
  }
  return {
    actions: plan.actions.map(
      ({ target, propagation, pin }) => `${label(target)} ${propagation} pinned by ${pin}`,
    ),
    dependents: plan.settle.dependents.map(({ target, by }) => `${label(target)} by ${by}`),
  };
}

for (const name of cases) {
  test(`golden: ${name}`, async () => {
    const world = parse(readFileSync(join(here, `${name}.world.yaml`), 'utf8')) as Case;
    const picture = toPicture(await planOf(world));
    const file = join(here, `${name}.plan.yaml`);
    if (process.env['UPDATE'] === '1') writeFileSync(file, picture);
    assert.ok(existsSync(file), `${name}.plan.yaml is missing: look at the plan, then UPDATE=1`);
    assert.equal(picture, readFileSync(file, 'utf8'));
  });
}

test('no picture without its world', () => {
  const pictures = verbs.flatMap(verb =>
    readdirSync(join(here, verb))
      .filter(file => file.endsWith('.plan.yaml'))
      .map(file => join(verb, file)),
  );
  assert.deepEqual(
    pictures.filter(file => !existsSync(join(here, file.replace('.plan.yaml', '.world.yaml')))),
    [],
  );
});
