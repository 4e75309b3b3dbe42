// One builder at a time, between processes, and no lock outlives its holder for long.
// The holder touches its lock every two seconds; who waits breaks a lock whose process is gone or that went cold.
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.ts';

const heartbeatMs = 2000;
const coldAfterMs = 60_000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly nonce: string;
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

/** The text of a lock that nobody holds any more; undefined for one that is held or gone. */
async function staleText(path: string): Promise<string | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const holder = holderOf(text);
    if (holder?.host === hostname() && !isAlive(holder.pid)) return text;
    return Date.now() - mtimeMs > coldAfterMs ? text : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Two waiters may see the same stale lock: who took a fresh one away by mistake puts it back. */
async function breakLock(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Written whole under another name and linked into place: nobody ever reads half a lock. */
async function tryTake(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

async function take(path: string, what: string, text: string): Promise<void> {
  let told = false;
  while (!(await tryTake(path, text))) {
    const stale = await staleText(path);
    if (stale !== undefined) {
      await breakLock(path, stale);
      continue;
    }
    if (!told) {
      const holder = holderOf(await readFile(path, 'utf8').catch(() => ''));
      say(`another run${holder ? ` (process ${holder.pid})` : ''} is busy with ${what}; waiting for it`);
      told = true;
    }
    await sleep(250);
  }
}

export async function withLock<T>(path: string, what: string, work: () => Promise<T>): Promise<T> {
  const holder: Holder = { pid: process.pid, host: hostname(), nonce: randomBytes(8).toString('hex') };
  const text = JSON.stringify(holder);
  await take(path, what, text);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, { force: true });
  }
}
