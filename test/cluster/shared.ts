// One control plane serves a whole test run: the runner starts it and says where in JOBCTL_TEST_CLUSTER. A test file that
// is run alone starts one for itself.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { type Description, reach } from './description.ts';
import { untilServiceAccount } from './state/namespaces.ts';

const notOurs = async (): Promise<never> => {
  throw new Error(
    'other tests run on this control plane too; start one of your own with startControlPlane()',
  );
};

/** The control plane of the run, which nobody may take away from the others. */
function joinControlPlane(description: Description): ControlPlane {
  return {
    ...description,
    ...reach(description),
    killApiserver: notOurs,
    startApiserver: notOurs,
    stopControllerManager: notOurs,
    startControllerManager: notOurs,
    stop: notOurs,
  };
}

/** Call it once, at the top of a test file. */
export async function sharedControlPlane(): Promise<ControlPlane> {
  const path = process.env['JOBCTL_TEST_CLUSTER'];
  if (path) {
    const plane = joinControlPlane(JSON.parse(readFileSync(path, 'utf8')) as Description);
    after(() => plane.admin.destroy());
    return plane;
  }
  const plane = await startControlPlane();
  after(() => plane.stop());
  return plane;
}

/** A namespace for one test, with the service account that Pods need; deleted afterwards, which nobody waits for. */
export async function aNamespace(t: TestContext, plane: ControlPlane): Promise<string> {
  const name = `test-${randomBytes(5).toString('hex')}`;
  const { admin } = plane;
  await admin.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'jobctl-test': 'true' }, annotations: { test: t.name } },
  });
  t.after(async () => {
    // The test may have ended the server.
    await admin.delete(`/api/v1/namespaces/${name}`).catch(() => undefined);
  });
  await untilServiceAccount(admin, name);
  return name;
}
