// The image that every node has: Debian's static busybox.
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath } from './commands.ts';
import { importImage, writeImage } from './oci-image.ts';

export const image = 'busybox:local';

const applets = (
  'sh sleep echo cat rm touch mv cp ln ls date env true false kill mkdir rmdir test [ seq head tail grep sed awk ' +
  'cut tr wc sort find ps id stat chmod dd sync timeout usleep printf expr mkfifo wget nc hostname'
).split(' ');

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

/** `dir` is for its files, `socket` containerd's. */
export async function importBusybox(dir: string, socket: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const file = await writeImage(dir, {
    name: `docker.io/library/${image}`,
    layers: [writeRoot(dir)],
    // Long enough for the sandbox of a Pod, which is of this image too.
    config: { Cmd: ['/bin/sleep', '2147483647'], Env: ['PATH=/bin'] },
  });
  await importImage(file, socket);
}
