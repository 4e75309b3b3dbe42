// Where all of a node runs: mount and PID namespaces of its own. The kernel ends with them every process, mount and network
// namespace of the node as soon as the first process dies, so nothing has to be found and cleared away one by one.
// https://man7.org/linux/man-pages/man7/pid_namespaces.7.html, https://man7.org/linux/man-pages/man7/mount_namespaces.7.html
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, type Start, startProcess } from '../process.ts';
import { killGroup } from '../watchdog.ts';
import { commandPath } from './commands.ts';

/**
 * Folders with fixed paths in which kubelet, containerd, its shims and CNI leave files: /var/lib/kubelet, /var/lib/cni,
 * /var/log/pods, /run/containerd, /run/netns. The node has its own, so that two nodes do not meet there.
 */
export const maskedFolders = ['/var/lib', '/var/log', '/run'] as const;

/**
 * The kubelet sets these for the whole machine, and so does the CNI plugin ptp with the last: they see a file that already
 * says so. k8s.io/kubernetes/pkg/kubelet/cm/container_manager_linux.go, setupKernelTunables
 */
const kernelSettings = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
  'net/ipv4/ip_forward': '1',
} as const;

export interface NamespaceStart {
  /** Of the node. */
  readonly dir: string;
  /** Folders outside that must be seen inside as `dir`/NAME, wherever they are. */
  readonly folders: Readonly<Record<string, string>>;
  /** The first process's only child, for as long as the namespaces live. */
  readonly command: readonly [string, ...string[]];
  readonly name: string;
  readonly log: string;
}

export interface Namespace {
  /** When it has ended, nothing lives inside any more. */
  readonly first: ServerProcess;
  startInside(start: Pick<Start, 'name' | 'log' | 'binary' | 'args'>): ServerProcess;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function writeScript({ dir, folders, command }: NamespaceStart): string {
  const bind = (from: string, to: string) => `mount --bind ${quote(from)} ${quote(to)}`;
  const made = (...path: readonly string[]): string => {
    const folder = join(dir, ...path);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const settings = Object.entries(kernelSettings).map(([name, value]) => {
    const file = join(made('settings'), name.replaceAll('/', '-'));
    writeFileSync(file, `${value}\n`);
    return bind(file, `/proc/sys/${name}`);
  });
  const lines = [
    'set -e',
    // As on a machine of its own: without it the kubelet refuses volumes with mount propagation.
    'mount --make-rshared /',
    ...settings,
    ...Object.entries(folders).map(([name, folder]) => bind(folder, made(name))),
    ...maskedFolders.map(folder => bind(made('masked', folder), folder)),
    // The shell stays as the first process: it takes the dead that nobody else waits for.
    `${command.map(quote).join(' ')} &`,
    'wait',
  ];
  const script = join(dir, 'init.sh');
  writeFileSync(script, `${lines.join('\n')}\n`);
  return script;
}

/**
 * unshare and nsenter wait for the command that they run and end with it. Killed themselves, they would leave its body to
 * the machine's first process, and while that takes its time the kernel does not end the PID namespace.
 */
function killCommand(pid: number): void {
  try {
    const [child] = /\d+/.exec(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? [];
    if (child === undefined) throw new Error('not started yet');
    process.kill(Number(child), 'SIGKILL');
  } catch {
    killGroup(pid);
  }
}

export function startNamespace(start: NamespaceStart): Namespace {
  const script = writeScript(start);
  const first = startProcess({
    name: start.name,
    log: start.log,
    binary: commandPath('unshare'),
    args: ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '/bin/sh', script],
    killBy: killCommand,
  });
  const own = `/proc/${first.pid}/ns`;
  return {
    first,
    startInside: ({ name, log, binary, args }) =>
      startProcess({
        name,
        log,
        binary: commandPath('nsenter'),
        args: [`--mount=${own}/mnt`, `--pid=${own}/pid_for_children`, '--', binary, ...args],
        killBy: killCommand,
      }),
  };
}
