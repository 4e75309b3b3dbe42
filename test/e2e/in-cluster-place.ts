// What deploy/ has, put on a test cluster by `kubectl apply -k` as a user would: an overlay of the test names the image, and keeps the
// schedule from starting runs behind the test's back. Then runs of it, and their reports.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { root } from '../../build/places.ts';
import type { Fields, KubeObject } from '../cluster/admin.ts';
import type { ControlPlaneWithNode } from '../cluster/control-plane.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { tracesOf } from '../cluster/node/traces.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { untilServiceAccount } from '../cluster/state/namespaces.ts';
import { podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { productImage } from './in-cluster-image.ts';

export const own = 'jobctl';
export const accountName = 'system:serviceaccount:jobctl:jobctl-prune';

export interface Deployed {
  /** `one-pod` */
  readonly overlay: string;
  readonly components?: readonly string[];
  /** JSON patches of the CronJob prune-jobs, besides. */
  readonly patch?: readonly Fields[];
}

/** Answers the folder, for `kubectl kustomize` or `apply -k`. */
function writeOverlay(plane: ControlPlaneWithNode, { overlay, components = [], patch = [] }: Deployed) {
  const folder = mkdtempSync(join(plane.dir, `${overlay}-`));
  const to = (...path: readonly string[]) => relative(folder, join(root, 'deploy', ...path));
  const suspended = [{ op: 'add', path: '/spec/suspend', value: true }];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [to('overlays', overlay)],
    components: components.map(name => to('components', name)),
    images: ['registry.example/kubectl-jobctl', 'kubectl-jobctl'].map(name => ({ name, ...productImage })),
    patches: [
      { target: { kind: 'CronJob' }, patch: stringify(suspended) },
      ...(patch.length === 0
        ? []
        : [{ target: { kind: 'CronJob', name: 'prune-jobs' }, patch: stringify(patch) }]),
    ],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
  return folder;
}

export async function deploy(plane: ControlPlaneWithNode, wanted: Deployed): Promise<void> {
  await kubectl(plane, ['apply', '-k', writeOverlay(plane, wanted)]);
  await untilServiceAccount(plane.admin, own);
}

/** Where the patch of an argument or a field of the container goes. */
const podTemplate = '/spec/jobTemplate/spec/template/spec';
export const addedArgument = (value: string): Fields => ({
  op: 'add',
  path: `${podTemplate}/containers/0/args/-`,
  value,
});

/** As a person does it who does not want to wait for the schedule. */
export const startRun = (
  plane: ControlPlaneWithNode,
  name: string,
  cronJob = 'prune-jobs',
): Promise<string> => kubectl(plane, ['create', 'job', name, '-n', own, `--from=cronjob/${cronJob}`]);

export const conditionsOf = (job: KubeObject): readonly string[] =>
  ((job.status?.['conditions'] ?? []) as readonly { type: string; status: string }[])
    .filter(({ status }) => status === 'True')
    .map(({ type }) => type);

export const untilRunEnded = (
  plane: ControlPlaneWithNode,
  name: string,
  deadlineMs = 120_000,
): Promise<KubeObject> =>
  until(`the Job ${name} to end`, deadlineMs, async () => {
    const job = await plane.admin.get(jobPath(own, name));
    return conditionsOf(job).some(type => type === 'Complete' || type === 'Failed') && job;
  });

/** The program in the containers, as the host sees it. */
export const productProcesses = (plane: ControlPlaneWithNode): readonly number[] =>
  tracesOf(plane)
    .processes.map(line => line.split(' '))
    .filter(([, command]) => command === '/usr/local/bin/kubectl-jobctl')
    .map(([pid]) => Number(pid));

export const podsOfRun = (plane: ControlPlaneWithNode, name: string): Promise<readonly KubeObject[]> =>
  plane.admin.list(`${podPath(own)}?labelSelector=job-name%3D${name}`);

interface Result {
  readonly exitCode: number;
  readonly refusal?: { readonly code: string; readonly text: readonly string[] };
}

interface Finding {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly verdict: string;
  readonly reason: { readonly code: string };
}

interface Action {
  readonly uid: string;
  readonly kind: string;
  readonly state: string;
}

/** What the lines of -o jsonl say. */
export interface Report extends Result {
  readonly findings: readonly Finding[];
  readonly actions: readonly Action[];
}

export const logOfPod = (plane: ControlPlaneWithNode, pod: KubeObject): Promise<string> =>
  kubectl(plane, ['logs', pod.metadata.name, '-n', own]);

/** Of all Pods of a run, as docs/in-the-cluster.md says it. */
export const logsOfRun = (plane: ControlPlaneWithNode, name: string): Promise<string> =>
  kubectl(plane, ['logs', '-n', own, '-l', `job-name=${name}`, '--tail=-1']);

/** Uids of the Jobs that a run says it has deleted. */
export const deletedIn = ({ actions }: Report): readonly string[] =>
  actions.filter(({ kind, state }) => kind === 'Job' && state === 'gone').map(({ uid }) => uid);

/** What a DELETE was pinned to. */
export const uidIn = ({ requestObject }: { readonly requestObject?: Fields }): string =>
  String((requestObject?.['preconditions'] as Fields | undefined)?.['uid']);

interface Line {
  readonly finding?: Finding;
  readonly action?: Action;
  readonly result?: Result;
}

/** Throws where a line is none of the report. */
export const toLines = (log: string): readonly Line[] =>
  log
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line);

/** Throws where the result is missing, too. */
export function toReport(log: string): Report {
  const parts = toLines(log);
  const [result, ...others] = parts.flatMap(part => part.result ?? []);
  if (result === undefined || others.length > 0) throw new Error(`not one result: ${log.slice(-2000)}`);
  return {
    ...result,
    findings: parts.flatMap(({ finding }) => finding ?? []),
    actions: parts.flatMap(({ action }) => action ?? []),
  };
}

/** Of the Pods that ended well. */
export async function reportsOf(plane: ControlPlaneWithNode, name: string): Promise<readonly Report[]> {
  const pods = (await podsOfRun(plane, name)).filter(pod => pod.status?.['phase'] === 'Succeeded');
  return await Promise.all(pods.map(async pod => toReport(await logOfPod(plane, pod))));
}
