// Runs one command to its end and remembers the most memory that it had.
import { spawn } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { peakOf } from '../support/peak-memory.ts';

export interface Measured {
  readonly seconds: number;
  /** Peak resident memory in MiB, of the largest process; absent where it cannot be read. */
  readonly peakMiB?: number;
}

const pollEveryMs = 50;

export async function measure(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  const [command = '', ...rest] = argv;
  const startedMs = performance.now();
  const child = spawn(command, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  let peakMiB: number | undefined;
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  // kubectl replaces itself with the plugin, so the process stays the same; a shell starts others, which end before it
  const timer = setInterval(() => {
    const now = peakOf(child.pid);
    if (now !== undefined) peakMiB = Math.max(peakMiB ?? 0, now);
  }, pollEveryMs);
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  });
  clearInterval(timer);
  if (code !== 0)
    throw new Error(`${basename(dirname(command))} ${rest.join(' ')}: exit ${code}: ${err.slice(-500)}`);
  const seconds = (performance.now() - startedMs) / 1000;
  return peakMiB === undefined ? { seconds } : { seconds, peakMiB };
}
