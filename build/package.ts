// npm run package [-- FOLDER]: everything that a release consists of, into dist/ or the folder. From Linux, and from nothing but the package registry.
// The same lockfile and sources give the same bytes. Takes about two minutes of one processor.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { withLock } from '../test/cluster/lock.ts';
import { tarGz, zip } from './archive.ts';
import { bundle } from './bundle.ts';
import { checksums, sha256 } from './checksums.ts';
import { krewManifest, manifestName } from './krew-manifest.ts';
import { licences } from './licences.ts';
import { signAdHoc } from './macos-sign.ts';
import { verifySignature } from './macos-verify.ts';
import { nodeBinaries } from './node-binaries.ts';
import { clearScratch, makeBinaries, readBinary, seedNode } from './pkg.ts';
import { cache, dist, root } from './places.ts';
import { sbom } from './sbom.ts';
import type { File } from './seven-zip.ts';
import { archiveName, binaryName, completionName, type Target, targets } from './targets.ts';

const startedMs = performance.now();
const tell = (what: string): void => {
  process.stdout.write(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${what}\n`);
};

const [, , asked] = process.argv;
const folder = asked === undefined ? dist : resolve(asked);
await mkdir(cache, { recursive: true });
// two that pack at once would write over each other's scratch
await withLock(join(cache, 'lock'), 'packing a release', async () => {
  await clearScratch();
  const release = await pack();
  // nothing of the last release may stay; what else is in somebody's folder is not ours
  if (folder === dist) await rm(dist, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of release) await writeFile(join(folder, name), bytes);
  await clearScratch();
});
tell(`in ${folder}`);

async function pack(): Promise<ReadonlyMap<string, Uint8Array>> {
  const node = await seedNodes();
  tell(`Node ${node.version} for ${targets.length} targets`);
  await makeBinaries(await bundle(), node.version, targets);
  tell('binaries');
  const licencesText = Buffer.from(licences(node.version, node.licence));
  const release = new Map<string, Uint8Array>();
  for (const target of targets) {
    const name = archiveName(target);
    const files = await filesOf(target, licencesText);
    const bytes = await (name.endsWith('.zip') ? zip(files) : tarGz(files));
    release.set(name, bytes);
    tell(`${name}: ${(bytes.length / 1e6).toFixed(1)} MB`);
  }
  release.set(manifestName, await filledManifest(release));
  release.set('kubectl-jobctl.cdx.json', Buffer.from(await sbom()));
  release.set('THIRD_PARTY_LICENSES.txt', licencesText);
  release.set('checksums.txt', Buffer.from(checksums(release)));
  return release;
}

async function seedNodes(): Promise<{ version: string; licence: string }> {
  let version = '';
  let licence = '';
  for await (const one of nodeBinaries()) {
    await seedNode(one);
    version = one.version;
    licence ||= one.license ?? '';
  }
  if (licence === '') throw new Error('none of the Node packages has the licence of Node');
  return { version, licence };
}

async function filledManifest(archives: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const template = await readFile(join(root, 'krew-manifest.yaml'), 'utf8');
  const sums = new Map([...archives].map(([name, bytes]) => [name, sha256(bytes)]));
  return Buffer.from(krewManifest(template, manifest.version, sums));
}

async function filesOf(target: Target, licencesText: Uint8Array): Promise<readonly File[]> {
  const completion = completionName(target);
  return [
    { name: binaryName(target), mode: 0o755, bytes: await signed(target) },
    { name: completion, mode: 0o755, bytes: await readFile(join(root, 'completion', completion)) },
    { name: 'LICENSE', mode: 0o644, bytes: await readFile(join(root, 'LICENSE')) },
    { name: 'THIRD_PARTY_LICENSES.txt', mode: 0o644, bytes: licencesText },
  ];
}

/** The build fails when the signature that macOS will look for is not there, or is of another file. */
async function signed(target: Target): Promise<Buffer> {
  const binary = await readBinary(target);
  if (target.os !== 'darwin') return binary;
  const made = signAdHoc(binary);
  verifySignature(made);
  return made;
}
