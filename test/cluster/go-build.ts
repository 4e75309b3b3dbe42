// How one binary is made: the recipe is part of the cache's key, so a change here builds anew.
import { spawn } from 'node:child_process';
import { compareVersions, type Pin } from './versions.ts';

/** Go itself is missing or too old: no other version of Kubernetes would fare better. */
export class GoUnusable extends Error {}

/** Makes one binary at `output`. */
export type Build = (pin: Pin, name: string, output: string) => Promise<void>;

export function goArguments({ product, packages, stamp }: Pin, name: string): readonly string[] {
  const path = packages[name];
  if (path === undefined) throw new Error(`${name} is no binary of ${product}`);
  const variables = Object.entries(stamp).map(([variable, value]) => `-X ${variable}=${value}`);
  return ['-ldflags', ['-s', '-w', ...variables].join(' '), path];
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs go in a folder with a go.mod, which it must not change. */
export function go(folder: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
    const child = spawn('go', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Go's own children die with it; a build must not go on for minutes after Ctrl-C ended us.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    let [out, err] = ['', ''];
    child.stdout.on('data', chunk => {
      out += chunk;
    });
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', code => {
      process.removeListener('exit', end);
      resolve({ code, out, err });
    });
  });
}

const remedy = 'install it from https://go.dev/dl, or set JOBCTL_CLUSTER_BIN to a folder with the binaries';

async function assertGo(pin: Pin): Promise<void> {
  const answer = await go(pin.folder, ['env', 'GOVERSION']).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      throw new GoUnusable(`go is not on PATH; the control plane needs Go ${pin.go} or newer: ${remedy}`);
    }
    throw error;
  });
  const version = /^go(\d+(?:\.\d+)*)/.exec(answer.out.trim())?.[1];
  if (answer.code === 0 && version !== undefined && compareVersions(version, pin.go) >= 0) return;
  const seen = version ?? (answer.err.trim().split('\n').at(-1) || answer.out.trim());
  throw new GoUnusable(
    `${pin.product} ${pin.version} needs Go ${pin.go} or newer (found: ${seen}): ${remedy}`,
  );
}

export const goBuild: Build = async (pin, name, output) => {
  await assertGo(pin);
  const { code, err } = await go(pin.folder, ['build', '-o', output, ...goArguments(pin, name)]);
  if (code === 0) return;
  const tail = err.trim().split('\n').slice(-20).join('\n');
  throw new Error(`go build of ${name} ${pin.version} ended with code ${code}:\n${tail}`);
};
