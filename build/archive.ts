// An archive whose bytes depend on its files alone: fixed time and owner, one order. tar-stream writes the tar (the Kubernetes client
// library uses it, so it is among the packages anyway), 7-Zip the rest.
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { compress, type File, fixedTime } from './seven-zip.ts';

export async function zip(files: readonly File[]): Promise<Uint8Array> {
  return await compress('zip', files);
}

export async function tarGz(files: readonly File[]): Promise<Uint8Array> {
  const tar = pack();
  const bytes = buffer(tar);
  for (const { name, mode, bytes: content } of files) {
    const header = { name, mode, mtime: fixedTime, uid: 0, gid: 0, uname: 'root', gname: 'root' };
    tar.entry({ ...header, size: content.length }, content);
  }
  tar.finalize();
  return await compress('gzip', [{ name: 'kubectl-jobctl.tar', bytes: await bytes, mode: 0o644 }]);
}
