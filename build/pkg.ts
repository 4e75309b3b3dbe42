// Five binaries out of one bundle: @yao-pkg/pkg --sea, with the chunks as assets.
// Its command line drops `seaConfig`, so this calls what that calls. It would download Node from nodejs.org; where it looks
// before that, ~/.pkg-cache/sea, it finds the Node packages of the lockfile instead.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pkgSea from '@yao-pkg/pkg/lib-es5/sea.js';
import type { Bundle } from './bundle.ts';
import { stripElf } from './elf-strip.ts';
import type { NodeBinary } from './node-binaries.ts';
import { scratch } from './places.ts';
import { binaryName, type Target } from './targets.ts';

const outputOf = (target: Target): string =>
  join(scratch, 'binaries', `${target.os}-${target.arch}`, binaryName(target));

/** As pkg unpacks what it downloads, with the empty files by which it knows that it has done so. */
export async function seedNode({ target, version, binary }: NodeBinary): Promise<void> {
  const { pkgPlatform, pkgArch } = target;
  const os = pkgPlatform === 'macos' ? 'darwin' : pkgPlatform;
  const cache = join(scratch, '.pkg-cache', 'sea');
  const name = `node-v${version}-${os}-${pkgArch}`;
  const path = join(cache, os === 'win' ? `${name}.exe` : `${name}/bin/node`);
  const archive = join(cache, `${name}.${os === 'win' ? 'zip' : 'tar.gz'}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, target.os === 'linux' ? stripElf(binary) : binary, { mode: 0o755 });
  await Promise.all([archive, `${archive}.ok`, `${path}.ok`].map(empty => writeFile(empty, '')));
}

/** Without a signature, which macos-signature.ts makes. */
export async function makeBinaries(
  { start, chunks }: Bundle,
  version: string,
  targets: readonly Target[],
): Promise<void> {
  const folder = join(scratch, 'chunks');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'start.cjs'), start);
  const assets: Record<string, string> = {};
  for (const [name, text] of chunks) {
    assets[name] = join(folder, name);
    await writeFile(join(folder, name), text);
  }
  const seaConfig = {
    // Node keeps this path in the binary: as it is here it is the same in every checkout. pkg works in a folder in TMPDIR.
    main: '../../chunks/start.cjs',
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // it would hold for one processor and one version of V8 only, and saves nothing here
    useCodeCache: false,
    assets,
  };
  const temporary = join(scratch, 'tmp');
  await mkdir(temporary, { recursive: true });
  await withEnv({ HOME: scratch, TMPDIR: temporary }, () =>
    pkgSea.default(join(folder, 'start.cjs'), {
      seaConfig,
      signature: false,
      targets: targets.map(target => ({
        nodeRange: `node${version}`,
        platform: target.pkgPlatform,
        arch: target.pkgArch,
        output: outputOf(target),
      })),
    }),
  );
}

async function withEnv(env: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    await work();
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

export const readBinary = (target: Target): Promise<Buffer> => readFile(outputOf(target));

export const clearScratch = (): Promise<void> => rm(scratch, { recursive: true, force: true });
