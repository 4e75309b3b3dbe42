// The image of the Dockerfile, for a machine without Docker and without a registry: its last stage is read and done here, with the
// libraries of this machine in the place of the base image. JOBCTL_TEST_IMAGE=FILE takes one instead that a real builder has made, as
// an OCI or Docker archive of `docker.io/library/kubectl-jobctl:test`.
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../build/places.ts';
import type { ControlPlaneWithNode } from '../cluster/control-plane.ts';
import { importImage, writeImage } from '../cluster/node/oci-image.ts';
import { targetOf, unpack } from '../package/release.ts';

export const productImage = { newName: 'docker.io/library/kubectl-jobctl', newTag: 'test' } as const;

interface LastStage {
  readonly copies: readonly { readonly from: readonly string[]; readonly to: string }[];
  readonly user: string;
  readonly entrypoint: readonly string[];
}

/** Throws at an instruction that it does not know: what is built here must not differ from what the file says. */
export function readLastStage(dockerfile: string): LastStage {
  const lines = dockerfile.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const stage = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')) + 1);
  const copies: { from: string[]; to: string }[] = [];
  let [user, entrypoint]: [string?, string[]?] = [];
  for (const line of stage) {
    const [instruction, ...words] = line.split(' ');
    if (instruction === 'COPY' && words[0] === '--from=archive')
      copies.push({ from: words.slice(1, -1), to: words.at(-1) ?? '' });
    else if (instruction === 'USER') user = words.join(' ');
    else if (instruction === 'ENTRYPOINT') entrypoint = JSON.parse(words.join(' ')) as string[];
    else throw new Error(`Dockerfile: not known here: ${line}`);
  }
  if (user === undefined || entrypoint === undefined) throw new Error('Dockerfile: no USER or ENTRYPOINT');
  return { copies, user, entrypoint };
}

/** The files that the loader takes for this binary; the loader itself is among them. */
async function librariesOf(binary: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ldd', [binary]);
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path ?? '');
}

async function makeImage(dir: string): Promise<string> {
  const stage = readLastStage(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const archive = await unpack(targetOf('linux', process.arch === 'arm64' ? 'arm64' : 'amd64'));
  const own = join(dir, 'own');
  for (const { from, to } of stage.copies) {
    for (const path of from) {
      const file = archive.get(path.slice(1));
      if (file === undefined) throw new Error(`Dockerfile: the archive has no ${path}`);
      const target = join(own, to.endsWith('/') ? join(to, basename(path)) : to);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, file.bytes);
      chmodSync(target, file.mode);
    }
  }
  const base = join(dir, 'base');
  const [binary = ''] = stage.entrypoint;
  for (const path of await librariesOf(join(own, binary))) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    copyFileSync(path, join(base, path));
  }
  const config = { User: stage.user, Entrypoint: stage.entrypoint };
  return await writeImage(dir, {
    name: `${productImage.newName}:${productImage.newTag}`,
    layers: [base, own],
    config,
  });
}

/** The release is made first where there is none, which takes minutes. */
export async function importProduct(plane: ControlPlaneWithNode): Promise<void> {
  const dir = join(plane.dir, 'product');
  mkdirSync(dir);
  const file = process.env['JOBCTL_TEST_IMAGE'] || (await makeImage(dir));
  await importImage(file, plane.node.containerRuntimeSocket);
}
