// Debian's containerd, with everything it keeps inside the cluster's folder and the node's namespaces.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accepts } from '../ports.ts';
import { commandPath } from './commands.ts';
import { image } from './image.ts';
import { type Namespace, startNamespace } from './namespace.ts';

export interface ContainerdPlace {
  /** Of the node. */
  readonly dir: string;
  readonly log: string;
  readonly cniConfig: string;
  /** Folders that must be seen inside as `dir`/NAME; `cni` has the plugins. */
  readonly folders: Readonly<Record<'cni' | 'kubernetes', string>>;
}

export const socketIn = (dir: string): string => join(dir, 'containerd.sock');

// https://github.com/containerd/containerd/blob/v1.6.20/docs/cri/config.md
function configOf({ dir, cniConfig }: ContainerdPlace): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = ${JSON.stringify(join(dir, 'containerd'))}
[grpc]
  address = ${JSON.stringify(socketIn(dir))}
[plugins."io.containerd.internal.v1.opt"]
  path = ${JSON.stringify(join(dir, 'opt'))}
[${cri}]
  sandbox_image = "docker.io/library/${image}"
  disable_apparmor = true
  # Inside a container the score of a process must not be lowered.
  restrict_oom_score_adj = true
  [${cri}.containerd]
    # Overlays do not work on top of every file system; a copy of busybox costs nothing.
    snapshotter = "native"
  [${cri}.cni]
    bin_dir = ${JSON.stringify(join(dir, 'cni'))}
    conf_dir = ${JSON.stringify(cniConfig)}
`;
}

export async function startContainerd(place: ContainerdPlace): Promise<Namespace> {
  const { dir, log, folders } = place;
  const config = join(dir, 'containerd.toml');
  writeFileSync(config, configOf(place));
  const namespace = startNamespace({
    dir,
    folders,
    name: 'containerd',
    log,
    command: [commandPath('containerd'), '--config', config],
  });
  await namespace.first.ready(() => accepts({ path: socketIn(dir) }), 30_000);
  return namespace;
}
