// Completion in real shells: `kubectl jobctl de⇥`, with the real kubectl, its own completion, and a real API server.
// PowerShell is not to be had where these tests are run: of it only the text is tested, in test/unit/report/completion-script.test.ts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createCronJob, cronJobPath } from '../cluster/state/cronjobs.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { aPlace } from './operator.ts';
import { missing, type Prompt, type ShellName, shells, startShell } from './shells.ts';

const plane = await sharedControlPlane();
const { admin } = plane;
const companions = resolve(import.meta.dirname, '..', '..', 'completion');

/** One Job that runs, one that is done, one that is stuck; one CronJob that is stopped, and one that is not. */
async function furnished(t: TestContext) {
  const rules = [
    { apiGroups: ['', 'batch'], resources: ['cronjobs', 'jobs', 'namespaces'], verbs: ['list'] },
  ];
  const place = await aPlace(t, plane, { rules, everywhere: true });
  const { namespace } = place;
  await createRunningJob(admin, { name: 'etl', namespace });
  await createFinishedJob(admin, { name: 'weekly', namespace, ended: '1h' });
  const held = { name: 'held', namespace, ended: '1h', finalizers: ['example.test/hold'] } as const;
  await createFinishedJob(admin, held);
  await deleteAndHold(admin, jobPath(namespace, 'held'));
  t.after(() => releaseObject(admin, jobPath(namespace, 'held')));
  await createCronJob(admin, { name: 'nightly', namespace });
  const { metadata } = await createCronJob(admin, { name: 'sync', namespace });
  const note = { v: 1, uid: metadata.uid, at: '2026-03-01T09:00:00Z', by: 'anna', changes: [] };
  await admin.patch(cronJobPath(namespace, 'sync'), {
    metadata: { annotations: { 'jobctl/stopped': JSON.stringify(note) } },
  });
  return place;
}

/** Types it on an empty line, with Tab where ⇥ stands, and waits until the line reads so. */
async function completes(shell: Prompt, typed: string, line: string): Promise<void> {
  await shell.clear();
  shell.type(`kubectl jobctl ${typed.replaceAll('⇥', '\t')}`);
  await shell.waitFor(new RegExp(`^\\$ kubectl jobctl ${line}$`, 'm'), 30_000);
}

const rows = (namespace: string): readonly (readonly [typed: string, line: string])[] => [
  ['de⇥', 'delete'],
  ['delete --casc⇥', 'delete --cascade'],
  ['delete --cascade=f⇥', 'delete --cascade=foreground'],
  ['delete cronj⇥', 'delete cronjobs'],
  ['delete job we⇥', 'delete job weekly'],
  ['delete job/we⇥', 'delete job/weekly'],
  ['delete wee⇥', 'delete weekly'],
  ['stop job ⇥', 'stop job etl'],
  ['unstick job ⇥', 'unstick job held'],
  ['resume cronjob/⇥', 'resume cronjob/sync'],
  ['prune --owner cronjob/n⇥', 'prune --owner cronjob/nightly'],
  [`status -n ${namespace.slice(0, -3)}⇥`, `status -n ${namespace}`],
  ['status --context jobctl-⇥', `status --context jobctl-test-operator-${namespace}`],
  ['delete -f mani⇥', 'delete -f manifest.yaml'],
];

for (const name of Object.keys(shells) as ShellName[]) {
  test(`${name}: what is typed goes on by Tab, with live names of those that the verb is for`, {
    skip: missing(name),
  }, async t => {
    const { namespace, kubeconfig } = await furnished(t);
    const commands = [`kubectl completion ${name}`, `kubectl jobctl completion ${name}`];
    const shell = await startShell(t, name, { kubectl: plane.kubectl, kubeconfig, commands });
    writeFileSync(join(shell.home, 'manifest.yaml'), '');
    for (const [typed, line] of rows(namespace)) await completes(shell, typed, line);

    await shell.clear();
    shell.type('kubectl jobctl st\t');
    await shell.waitFor(/\bstop\b.*end running work/, 30_000);
    await shell.waitFor(/\bstatus\b.*show what runs/);

    // no blank behind the slash: the name is typed on
    await completes(shell, 'prune --owner cronj⇥', 'prune --owner cronjob/');
    shell.type('n\t');
    await shell.waitFor(/^\$ kubectl jobctl prune --owner cronjob\/nightly$/m, 30_000);

    const written = join(shell.home, '.cache/kubectl-jobctl/completion/kubectl_complete-jobctl');
    const shipped = join(companions, 'kubectl_complete-jobctl');
    assert.equal(readFileSync(written, 'utf8'), readFileSync(shipped, 'utf8'));
  });
}

test('the file of the release on PATH is all that kubectl needs, and then nothing is written', {
  skip: missing('bash'),
}, async t => {
  const { kubeconfig } = await furnished(t);
  const commands = ['kubectl jobctl completion bash', 'kubectl completion bash'];
  const shell = await startShell(t, 'bash', {
    kubectl: plane.kubectl,
    kubeconfig,
    commands,
    path: [companions],
  });
  await completes(shell, 'unst⇥', 'unstick');
  await completes(shell, 'unstick job/⇥', 'unstick job/held');
  assert.ok(!existsSync(join(shell.home, '.cache')));
});
