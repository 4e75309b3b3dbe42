// `stop` on the control plane alone, in so many combinations that each two values of two factors meet: all of them side by side, stopped
// by one command, and watched until the controllers have had their time. The full product is `npm run test:stop-product`.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiFailure } from '../cluster/admin.ts';
import { aNamespace, sharedControlPlane } from '../cluster/shared.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { session } from './kubectl-jobctl.ts';
import { allPairs } from './stop-product/all-pairs.ts';
import {
  type Combination,
  fullProduct,
  impossible,
  isPossible,
  whyImpossible,
} from './stop-product/combinations.ts';
import { appearedLines, brokenLines, impossibleLines, timesLine } from './stop-product/report.ts';
import { tryAll } from './stop-product/try.ts';
import { jobSpecOf } from './stop-product/work.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

test('running work of every two kinds is stopped: every Job and Pod is still there, no new one, and none after the next run', async t => {
  const namespace = await aNamespace(t, plane);
  const saved = mkdtempSync(join(tmpdir(), 'jobctl-saved-'));
  t.after(() => rmSync(saved, { recursive: true, force: true }));
  const tried = await tryAll(plane, namespace, {
    combinations: allPairs(fullProduct().filter(isPossible)),
    leadMs: 75_000,
    flags: `--save ${join(saved, 'evidence')}`,
    run: (kubeconfig, words) => session(plane, kubeconfig).run(words),
  });
  for (const line of [timesLine(tried), ...appearedLines(tried.verdicts)]) t.diagnostic(line);
  assert.equal(tried.told.code, 0, tried.told.stderr);
  assert.deepEqual(brokenLines(tried.verdicts), []);
  assert.equal(tried.told.result?.exitCode, 0);
  assert.ok(tried.inTime, 'it took longer than the next run of the CronJobs was away');
});

/** What the Job controller knows of it; how its Pods end is the kubelet's. */
const forController = (combination: Combination) => {
  const { template, ...spec } = jobSpecOf(combination);
  return { ...spec, pod: (template as { spec: unknown }).spec };
};

test('a combination that is called impossible is refused by the server, or is the same Job as another', async t => {
  const namespace = await aNamespace(t, plane);
  for (const line of impossibleLines()) t.diagnostic(line);
  const all = fullProduct();
  for (const [at, reason] of impossible.entries()) {
    const combination = all.find(one => whyImpossible(one) === reason);
    assert.ok(combination, reason.because);
    if (reason.says === 'the same') {
      assert.equal(combination.parallelism, 1);
      assert.deepEqual(forController(combination), forController({ ...combination, grace: 'equal' }));
      continue;
    }
    const spec = { jobTemplate: { spec: jobSpecOf(combination) } };
    const isRefused = (error: unknown) => error instanceof ApiFailure && error.status === 422;
    await assert.rejects(createCronJob(admin, { name: `c-${at}`, namespace, spec }), isRefused);
  }
});

test('of a combination that is called possible the server takes a CronJob', async t => {
  const namespace = await aNamespace(t, plane);
  const kinds = Map.groupBy(fullProduct().filter(isPossible), one =>
    [one.restartPolicy, one.policy, one.indexed, one.parallelism].join(),
  );
  for (const [at, [combination]] of [...kinds.values()].entries()) {
    assert.ok(combination);
    const jobTemplate = { spec: jobSpecOf(combination) };
    assert.ok(await createCronJob(admin, { name: `c-${at}`, namespace, spec: { jobTemplate } }));
  }
});
