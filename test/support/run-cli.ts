// Runs the command line as a process of its own, without a terminal: `const { stdout, code } = await runCli('prune -A --yes', { api })`.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { invocationOf, type Reaching } from './command-line.ts';
import { peakOfOne } from './peak-memory.ts';

export interface RunOptions extends Reaching {
  /** Without it, stdin is empty and at its end. */
  readonly stdin?: string;
  /** Milliseconds, or something to wait for: `api.log.until(one => one.method === 'DELETE', 5)`. */
  readonly signalAfter?: number | Promise<unknown>;
  /** SIGINT unless another is named. */
  readonly signal?: NodeJS.Signals;
  /** The reader of stdout goes away after so many lines, as `head` does. */
  readonly readLines?: number;
  /** Its own limit for the heap, in megabytes. */
  readonly heapMb?: number;
  /** Killed when it takes longer; 30 s. */
  readonly deadlineMs?: number;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 and the signal's number, as a shell says it, when a signal ended it. */
  readonly code: number;
  readonly ms: number;
  /** The highest resident memory that was seen, where /proc tells it; else 0. */
  readonly peakMb: number;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** What has been written so far, to either stream. */
  stdout(): string;
  stderr(): string;
  hasEnded(): boolean;
  /** Until stdout or stderr says so; throws with both when it ends before. */
  says(what: RegExp, deadlineMs?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

const signalNumbers: Readonly<Record<string, number>> = {
  SIGINT: 2,
  SIGKILL: 9,
  SIGPIPE: 13,
  SIGTERM: 15,
  SIGHUP: 1,
};

export const runCli = (words: string | readonly string[], options: RunOptions = {}): Promise<Ran> =>
  startCli(words, options).ended;

export function startCli(words: string | readonly string[], options: RunOptions = {}): Running {
  const { file, args, env, cwd, leave } = invocationOf(words, options);
  const startedMs = performance.now();
  const heap = options.heapMb === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${options.heapMb}` };
  const child = spawn(file, args, { env: { ...env, ...heap }, cwd, stdio: 'pipe' });
  const seen = { stdout: '', stderr: '', peakMb: 0, hasEnded: false };
  collect(child, seen, options.readLines);
  child.stdin.on('error', () => undefined).end(options.stdin ?? '');
  const deadlineMs = options.deadlineMs ?? 30_000;
  const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  const watch = setInterval(() => {
    seen.peakMb = Math.max(seen.peakMb, Math.round(peakOfOne(child.pid) ?? 0));
  }, 50);
  void sendLater(child, options);
  const { promise, resolve, reject } = Promise.withResolvers<Ran>();
  // who fails at something before never comes to await the end
  promise.catch(() => undefined);
  child.once('error', reject);
  child.once('close', (code, signal) => {
    clearTimeout(deadline);
    clearInterval(watch);
    seen.hasEnded = true;
    leave();
    const { stdout, stderr, peakMb } = seen;
    const ms = performance.now() - startedMs;
    if (signal === 'SIGKILL' && ms >= deadlineMs) {
      reject(new Error(`${String(words)} did not end within ${deadlineMs} ms\n${stdout}${stderr}`));
    } else resolve({ stdout, stderr, code: code ?? 128 + (signalNumbers[signal ?? ''] ?? 0), ms, peakMb });
  });
  return {
    ended: promise,
    stdout: () => seen.stdout,
    stderr: () => seen.stderr,
    hasEnded: () => seen.hasEnded,
    says: (what, withinMs = 10_000) => saying(seen, what, withinMs),
    signal: name => void child.kill(name),
  };
}

interface Seen {
  stdout: string;
  stderr: string;
  hasEnded: boolean;
}

function collect(child: ChildProcess, seen: Seen, lines: number | undefined): void {
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    seen.stdout += text;
    const parts = seen.stdout.split('\n');
    if (lines === undefined || parts.length <= lines) return;
    seen.stdout = `${parts.slice(0, lines).join('\n')}\n`;
    child.stdout?.destroy();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    seen.stderr += text;
  });
}

async function sendLater(child: ChildProcess, { signalAfter, signal = 'SIGINT' }: RunOptions): Promise<void> {
  if (signalAfter === undefined) return;
  await (typeof signalAfter === 'number' ? sleep(signalAfter) : signalAfter);
  child.kill(signal);
}

async function saying(seen: Seen, what: RegExp, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!what.test(seen.stdout) && !what.test(seen.stderr)) {
    if (seen.hasEnded || performance.now() > deadline) {
      throw new Error(`never said ${what}:\n${seen.stdout}${seen.stderr}`);
    }
    await sleep(10);
  }
}
