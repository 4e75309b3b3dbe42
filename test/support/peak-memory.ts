// The most memory that a process has had so far, where the system tells (Linux): of it and of all that it has started, the largest.
import { readdirSync, readFileSync } from 'node:fs';

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const children = tasks.flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return children.flatMap(child => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

/** Without what it has started; its own record of the highest value, so that only a peak of the last moment can be missed. */
export function peakOfOne(pid: number | undefined): number | undefined {
  try {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

/** In MiB; undefined where it cannot be read. */
export function peakOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  const known = [pid, ...childrenOf(pid)].flatMap(one => peakOfOne(one) ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
}
