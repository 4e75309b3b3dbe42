// `stop`, the reads: what was named, what owns it, the Jobs of that by owner uid (never by name or status.active), and their Pods.
import type { ClusterReader } from '../cluster/contract.ts';
import { isFinished } from '../model/job.ts';
import { isCronJobKind, type Kind } from '../model/kind.ts';
import { isSilent } from '../model/node.ts';
import { controllerOf } from '../model/object.ts';
import type { StopOptions } from '../model/options.ts';
import type { Unreadable } from '../model/snapshot.ts';
import type { StopSnapshot } from '../model/stop-snapshot.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';
import { never, pool } from '../pool.ts';
import { readPatchRights } from './access.ts';
import { needed } from './needed.ts';
import { namespacesOf, stopMoment } from './stop-moment.ts';
import { readEvidenceRights } from './stop-rights.ts';
import { addJobs, asSource, type Found, findStoppable, type Looking, readPodsOf } from './stoppable.ts';

const readsAtOnce = 4;
const mostNodesAsked = 50;

export async function selectStop(options: StopOptions, at: Looking): Promise<StopSnapshot> {
  const { read } = at;
  const catalog = needed(await read.kinds(), 'the list of kinds');
  const found = await findStoppable(options, catalog, at);
  const owners = await addOwners(found, catalog.kinds, read);
  await addJobs(found, read);
  const working = [...found.jobs.values()].filter(job => !isFinished(job.state));
  const pods = await readPodsOf(working, read);
  const refs = [...found.sources.values(), ...working, ...pods].map(({ ref }) => ref);
  return {
    ...(await stopMoment(read, options.allNamespaces, refs)),
    sources: [...found.sources.values()],
    jobs: [...found.jobs.values()],
    pods,
    asked: found.asked,
    ...owners,
    silentNodes: await readSilentNodes(pods, read),
    mayPatch: await readPatchRights(read, refs),
    ...(await readEvidenceRights(read, namespacesOf(refs), options)),
  };
}

/** A CronJob that owns a Job which was asked for would make more of them, and its limits would delete that one. */
async function addOwners(
  found: Found,
  kinds: readonly Kind[],
  read: ClusterReader,
): Promise<Pick<StopSnapshot, 'unreadableOwners' | 'otherOwners'>> {
  const unreadableOwners = new Map<string, Unreadable>();
  const otherOwners = new Map<string, string>();
  for (const job of [...found.jobs.values()].filter(({ state }) => !isFinished(state))) {
    const owner = controllerOf(job);
    const { namespace = '', uid } = job.ref;
    if (owner === undefined || found.sources.has(owner.uid)) continue;
    const kind = kinds.find(one => one.group === owner.group && one.kind === owner.kind);
    if (!isCronJobKind(owner) || kind === undefined) {
      otherOwners.set(uid, `${owner.kind.toLowerCase()}.${owner.group}/${owner.name}`);
      continue;
    }
    const source = await read.getJobSource(kind, owner.name, namespace);
    if (source.state === 'unreadable')
      unreadableOwners.set(uid, { kind, namespace, problem: source.problem });
    if (source.state === 'read' && source.value.ref.uid === owner.uid)
      found.add([asSource(source.value)], 'owner');
  }
  return { unreadableOwners, otherOwners };
}

/** What runs on a node that does not report cannot be told to end. Who may not read nodes finds out later. */
async function readSilentNodes(pods: readonly WorkingPod[], read: ClusterReader): Promise<Set<string>> {
  const nodes = [...new Set(pods.filter(isActive).flatMap(({ node }) => node ?? []))];
  const silent = new Set<string>();
  const ask = (name: string) => read.readNode(name);
  for await (const { item, result } of pool(nodes.slice(0, mostNodesAsked), readsAtOnce, never, ask)) {
    if (isSilent(result)) silent.add(item);
  }
  return silent;
}
