// Nothing is left behind, however this process ends. A small second process learns what was started and made here; its
// standard input is a pipe from us, so it wakes up when we are gone for whatever reason, and kills and removes the rest.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

export type Order =
  | { readonly kill: number }
  | { readonly forget: number }
  | { readonly remove: string }
  | { readonly removed: string }
  | { readonly cgroup: string }
  | { readonly cgroupRemoved: string };

const groups = new Set<number>();
const folders = new Set<string>();
let pipe: Writable | undefined;

/** A child started with `detached` leads a group of its own, so its children go with it. */
export function killGroup(pid: number): void {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

function start(): Writable {
  const script = join(import.meta.dirname, 'watchdog-process.ts');
  // A group of its own: Ctrl-C on the terminal must not take the one that cleans up after it.
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  (child.stdin as unknown as { unref(): void }).unref();
  // The orderly end does not wait for the other process.
  process.once('exit', () => {
    for (const pid of groups) killGroup(pid);
    for (const folder of folders) {
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      } catch {
        // A server that is just dying may still write; the other process removes what is left.
      }
    }
  });
  return child.stdin;
}

function order(what: Order): void {
  pipe ??= start();
  pipe.write(`${JSON.stringify(what)}\n`);
}

export function watchProcess(pid: number): void {
  groups.add(pid);
  order({ kill: pid });
}

export function forgetProcess(pid: number): void {
  groups.delete(pid);
  order({ forget: pid });
}

export function watchFolder(folder: string): void {
  folders.add(folder);
  order({ remove: folder });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
  order({ removed: folder });
}

/** Only the other process removes it: that takes until the kernel has ended the last process in it. */
export function watchCgroup(name: string): void {
  order({ cgroup: name });
}

export function forgetCgroup(name: string): void {
  order({ cgroupRemoved: name });
}
