// What a cluster with a node has on the machine outside of its folder: what is here while it runs must be gone afterwards.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { cgroupHierarchies } from './cgroups.ts';
import { podLinks, subnetOf } from './cni.ts';

export interface Traces {
  /** `PID COMMAND`, of the servers and of everything in the Pods. */
  readonly processes: readonly string[];
  /** As seen by the host. */
  readonly mounts: readonly string[];
  readonly links: readonly string[];
  /** `net:[4026532600]`, of the Pods. */
  readonly networkNamespaces: readonly string[];
  readonly cgroups: readonly string[];
}

/** Undefined for a process that ended meanwhile, and for what is not there. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const pids = (): readonly string[] => readdirSync('/proc').filter(name => /^\d+$/.test(name));

function processesOf(dir: string): readonly string[] {
  const inPod = new RegExp(`:/${basename(dir)}/`);
  return pids().flatMap(pid => {
    const command = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    const cgroup = attempt(() => readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
    const isOurs = command?.includes(`${dir}/`) === true || inPod.test(cgroup ?? '');
    // Without a command line it is dead, and only not yet collected by its parent.
    return isOurs && command !== undefined && command !== '' ? [`${pid} ${command.trim()}`] : [];
  });
}

function cgroupsOf(dir: string): readonly string[] {
  return cgroupHierarchies().flatMap(hierarchy =>
    (attempt(() => readdirSync(hierarchy)) ?? [])
      .filter(name => name === basename(dir))
      .map(name => `${hierarchy}/${name}`),
  );
}

/** `known` are namespaces that were seen before, to be looked for in all processes and mounts. */
function networkNamespacesOf(dir: string, known: readonly string[]): readonly string[] {
  const own = readlinkSync('/proc/self/ns/net');
  const ofPods = new Set(processesOf(dir).map(line => line.split(' ')[0] ?? ''));
  const found = pids().flatMap(pid => {
    const namespace = attempt(() => readlinkSync(`/proc/${pid}/ns/net`));
    const mounts = attempt(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8')) ?? '';
    const kept = known.filter(one => mounts.includes(one));
    const isPods = namespace !== undefined && (known.includes(namespace) || ofPods.has(pid));
    return isPods && namespace !== own ? [namespace, ...kept] : kept;
  });
  return [...new Set(found)];
}

export function tracesOf(
  { dir, server }: { readonly dir: string; readonly server: string },
  before?: Traces,
): Traces {
  return {
    processes: processesOf(dir),
    mounts: readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter(line => line.includes(dir)),
    links: podLinks(subnetOf(server)),
    networkNamespaces: networkNamespacesOf(dir, before?.networkNamespaces ?? []),
    cgroups: cgroupsOf(dir),
  };
}

export const noTraces: Traces = { processes: [], mounts: [], links: [], networkNamespaces: [], cgroups: [] };
