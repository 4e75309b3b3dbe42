// The process behind watchdog.ts: reads orders until its parent is gone, then kills and removes what is still listed.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { removeCgroup } from './node/cgroups.ts';
import { killGroup, type Order } from './watchdog.ts';

const groups = new Set<number>();
const folders = new Set<string>();
const cgroups = new Set<string>();

function obey(order: Order): void {
  if ('kill' in order) groups.add(order.kill);
  else if ('forget' in order) groups.delete(order.forget);
  else if ('remove' in order) folders.add(order.remove);
  else if ('removed' in order) folders.delete(order.removed);
  else if ('cgroup' in order) cgroups.add(order.cgroup);
  else cgroups.delete(order.cgroupRemoved);
}

// Signals meant for the tests must not end the one who cleans up after them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) obey(JSON.parse(line) as Order);

for (const pid of groups) killGroup(pid);
// First, as this waits for processes that are still dying: they might write into the folders.
for (const cgroup of cgroups) await removeCgroup(cgroup).catch(() => undefined);
for (const folder of folders)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
