// An image out of folders, one for each layer, as an OCI image layout that containerd imports.
// https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandPath } from './commands.ts';

export interface OciImage {
  /** `docker.io/library/busybox:local` */
  readonly name: string;
  /** Folders; all in them belongs to root. */
  readonly layers: readonly string[];
  /** https://github.com/opencontainers/image-spec/blob/v1.1.0/config.md, its `config` */
  readonly config: Readonly<Record<string, unknown>>;
}

const run = promisify(execFile);

const tar = (folder: string, file: string) =>
  run(commandPath('tar'), ['-C', folder, '--owner=0', '--group=0', '-cf', file, '.']);

/** Answers the file, which is in `dir` as everything on its way. */
export async function writeImage(dir: string, { name, layers, config }: OciImage): Promise<string> {
  const layout = join(dir, 'layout');
  const blobs = join(layout, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (mediaType: string, content: Buffer | string) => {
    const hash = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, hash), content);
    return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(content) };
  };
  const type = 'application/vnd.oci.image';
  const written: ReturnType<typeof blob>[] = [];
  for (const layer of layers) {
    const file = join(dir, 'layer.tar');
    await tar(layer, file);
    written.push(blob(`${type}.layer.v1.tar`, readFileSync(file)));
  }
  const described = blob(
    `${type}.config.v1+json`,
    JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: written.map(({ digest }) => digest) },
    }),
  );
  const manifest = blob(
    `${type}.manifest.v1+json`,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${type}.manifest.v1+json`,
      config: described,
      layers: written,
    }),
  );
  const annotations = { 'io.containerd.image.name': name };
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const file = join(dir, 'image.tar');
  await tar(layout, file);
  return file;
}

/** A file of `writeImage`, or one that another tool has made; `socket` is containerd's. */
export async function importImage(file: string, socket: string): Promise<void> {
  // k8s.io is the namespace in which containerd keeps what the kubelet sees.
  const where = ['--address', socket, '--namespace', 'k8s.io'];
  await run(commandPath('ctr'), [...where, 'images', 'import', '--snapshotter', 'native', file]);
}
