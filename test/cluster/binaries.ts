// The real binaries of a control plane: given ones, or built ones from the cache.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Cache, cached, cacheRoot, executable } from './cache.ts';
import { GoUnusable, goBuild } from './go-build.ts';
import { say } from './progress.ts';
import { type BinaryName, binaryNames, type Pinned, pinnedVersion, pinnedVersions } from './versions.ts';

export interface Binaries {
  /** `1.37.2`: what kube-apiserver calls itself. */
  readonly version: string;
  readonly path: Readonly<Record<BinaryName, string>>;
}

/** What a test may replace: the cache folder and the build. */
export interface BinariesSource {
  readonly env?: NodeJS.ProcessEnv;
  readonly cache?: Cache;
}

function pathsIn(folder: string): Record<BinaryName, string> {
  return Object.fromEntries(binaryNames.map(name => [name, executable(folder, name)])) as Record<
    BinaryName,
    string
  >;
}

async function builtBinaries(pin: Pinned, cache: Cache): Promise<Binaries> {
  return { version: pin.version, path: pathsIn(await cached(pin, binaryNames, cache)) };
}

/** With no version asked for, the newest that builds. */
async function newestThatBuilds(cache: Cache): Promise<Binaries> {
  const pins = pinnedVersions();
  for (const [i, pin] of pins.entries()) {
    try {
      return await builtBinaries(pin, cache);
    } catch (error) {
      const next = pins[i + 1];
      if (error instanceof GoUnusable || next === undefined) throw error;
      say(
        `${(error as Error).message}\nKubernetes ${pin.version} does not build here; going on with ${next.version}`,
      );
    }
  }
  throw new Error('no Kubernetes version is pinned under test/cluster/kubernetes');
}

async function versionOf(apiserver: string): Promise<string> {
  const { stdout } = await promisify(execFile)(apiserver, ['--version']);
  const version = /v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${apiserver} --version printed no version: ${stdout.trim()}`);
  return version;
}

/** envtest's folder (KUBEBUILDER_ASSETS) has no kube-controller-manager: what is missing is built, as near as is pinned. */
async function givenBinaries(folder: string, asked: string | undefined, cache: Cache): Promise<Binaries> {
  const given = binaryNames.filter(name => existsSync(executable(folder, name)));
  if (given.length === 0)
    throw new Error(`JOBCTL_CLUSTER_BIN=${folder} holds none of ${binaryNames.join(', ')}`);
  const version = given.includes('kube-apiserver')
    ? await versionOf(executable(folder, 'kube-apiserver'))
    : undefined;
  const missing = binaryNames.filter(name => !given.includes(name));
  if (missing.length === 0 && version !== undefined) return { version, path: pathsIn(folder) };
  const minor = asked ?? version?.split('.').slice(0, 2).join('.');
  const pin = pinnedVersions().find(p => p.minor === minor) ?? pinnedVersions()[0];
  if (pin === undefined) throw new Error('no Kubernetes version is pinned under test/cluster/kubernetes');
  say(
    `${folder} has no ${missing.join(', ')}; taking ${missing.length === 1 ? 'it' : 'them'} from Kubernetes ${pin.version}`,
  );
  const built = pathsIn(await cached(pin, missing, cache));
  const path = pathsIn(folder);
  for (const name of missing) path[name] = built[name];
  return { version: version ?? pin.version, path };
}

export async function clusterBinaries(asked?: string, source: BinariesSource = {}): Promise<Binaries> {
  const env = source.env ?? process.env;
  const cache = source.cache ?? { root: cacheRoot(env), build: goBuild };
  const version = asked ?? (env['JOBCTL_KUBERNETES'] || undefined);
  const folder = env['JOBCTL_CLUSTER_BIN'];
  if (folder) return givenBinaries(resolve(folder), version, cache);
  return version === undefined ? newestThatBuilds(cache) : builtBinaries(pinnedVersion(version), cache);
}
