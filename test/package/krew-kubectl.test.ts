// What krew has installed is started by the real kubectl, and reads a real control plane, on a machine without Node.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../build/places.ts';
import { aNamespace, sharedControlPlane } from '../cluster/shared.ts';
import { createFinishedJobs, jobPath } from '../cluster/state/jobs.ts';
import { allowIn } from '../cluster/state/roles.ts';
import { documentedRules } from '../support/documented-role.ts';
import { aKrewIndex } from './krew-index.ts';
import { aKrewPlace } from './krew-place.ts';
import { whyNoKrew } from './needs-krew.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const skip = await whyNoKrew();

test('kubectl starts what krew installed: it says its version and its help, looks and deletes', {
  skip,
}, async t => {
  const plane = await sharedControlPlane();
  const namespace = await aNamespace(t, plane);
  const user = `operator-${namespace}`;
  await allowIn(plane.admin, namespace, {
    user,
    rules: [...documentedRules('status'), ...documentedRules('prune-jobs')],
  });
  const kubeconfig = plane.kubeconfigFor({ user, namespace });
  await createFinishedJobs(
    plane.admin,
    ['etl-1', 'etl-2'].map(name => ({ name, namespace, ended: '3d' })),
  );
  const index = await aKrewIndex(t, version);
  const place = await aKrewPlace(t, { KREW_DEFAULT_INDEX_URI: index.folder });
  await place.kubectl('krew update');
  const before = place.files();
  const jobctl = (words: string) => place.kubectl(`jobctl ${words}`, kubeconfig);
  assert.notEqual((await jobctl('version')).code, 0, 'it is there before it was installed');
  assert.equal((await place.kubectl('krew install jobctl')).code, 0);

  const said = await jobctl('version');
  assert.deepEqual(
    { code: said.code, stdout: said.stdout },
    { code: 0, stdout: `kubectl-jobctl v${version}\n` },
  );
  const help = await jobctl('--help');
  assert.equal(help.code, 0, help.stderr);
  assert.match(help.stdout, /kubectl jobctl status/);
  const status = await jobctl('status');
  assert.equal(status.code, 0, status.stderr);
  assert.match(status.stdout, /^Jobs: 2, 2 complete$/m);
  const pruned = await jobctl('prune --standalone --older-than 1d --yes -o name');
  assert.equal(pruned.code, 0, pruned.stderr);
  assert.deepEqual(pruned.stdout.trimEnd().split('\n').sort(), ['job.batch/etl-1', 'job.batch/etl-2']);
  assert.deepEqual(await plane.admin.list(jobPath(namespace)), []);

  assert.equal((await place.kubectl('krew uninstall jobctl')).code, 0);
  assert.deepEqual(place.files(), before);
  assert.deepEqual(readdirSync(join(place.root, 'receipts')), []);
  assert.match((await jobctl('version')).stderr, /unknown command "jobctl"/);
});
