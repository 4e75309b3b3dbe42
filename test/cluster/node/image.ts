// The one image there is: Debian's static busybox, as an OCI image layout that containerd imports.
// https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandPath } from './commands.ts';

export const image = 'busybox:local';

const applets = (
  'sh sleep echo cat rm touch mv cp ln ls date env true false kill mkdir rmdir test [ seq head tail grep sed awk ' +
  'cut tr wc sort find ps id stat chmod dd sync timeout usleep printf expr mkfifo wget nc hostname'
).split(' ');

const run = promisify(execFile);

function writeRoot(dir: string): string {
  const root = join(dir, 'root');
  mkdirSync(join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  // Not by mkdir: the umask would take the write bits away.
  chmodSync(join(root, 'tmp'), 0o1777);
  copyFileSync(commandPath('busybox'), join(root, 'bin', 'busybox'));
  chmodSync(join(root, 'bin', 'busybox'), 0o755);
  for (const applet of applets) symlinkSync('busybox', join(root, 'bin', applet));
  return root;
}

const tar = (folder: string, file: string) =>
  run(commandPath('tar'), ['-C', folder, '--owner=0', '--group=0', '-cf', file, '.']);

async function writeLayout(dir: string): Promise<string> {
  const layer = join(dir, 'layer.tar');
  await tar(writeRoot(dir), layer);
  const layout = join(dir, 'layout');
  const blobs = join(layout, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (mediaType: string, content: Buffer | string) => {
    const hash = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, hash), content);
    return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(content) };
  };
  const type = 'application/vnd.oci.image';
  const rootfs = blob(`${type}.layer.v1.tar`, readFileSync(layer));
  const config = blob(
    `${type}.config.v1+json`,
    JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      // Long enough for the sandbox of a Pod, which is of this image too.
      config: { Cmd: ['/bin/sleep', '2147483647'], Env: ['PATH=/bin'] },
      rootfs: { type: 'layers', diff_ids: [rootfs.digest] },
    }),
  );
  const manifest = blob(
    `${type}.manifest.v1+json`,
    JSON.stringify({ schemaVersion: 2, mediaType: `${type}.manifest.v1+json`, config, layers: [rootfs] }),
  );
  const annotations = { 'io.containerd.image.name': `docker.io/library/${image}` };
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const file = join(dir, 'image.tar');
  await tar(layout, file);
  return file;
}

/** `dir` is for its files, `socket` containerd's. */
export async function importImage(dir: string, socket: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const file = await writeLayout(dir);
  // k8s.io is the namespace in which containerd keeps what the kubelet sees.
  const args = [
    '--address',
    socket,
    '--namespace',
    'k8s.io',
    'images',
    'import',
    '--snapshotter',
    'native',
    file,
  ];
  await run(commandPath('ctr'), args);
}
