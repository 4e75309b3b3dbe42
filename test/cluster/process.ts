// One server process of the control plane: its log in a file, its end watched, its readiness raced against both.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetProcess, killGroup, watchProcess } from './watchdog.ts';

export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
  readonly isRunning: boolean;
  /** Throws with the end of its log when it is not running any more. */
  assertRunning(): void;
  /** The last lines it logged. */
  logTail(lines?: number): string;
  /** Killed at once: what it stores is either thrown away or meant to survive exactly this. */
  kill(): Promise<void>;
  /** Waits until `isReady` answers true; throws with the end of the log when the process ends first or time runs out. */
  ready(isReady: () => Promise<boolean>, deadlineMs: number): Promise<void>;
}

export interface Start {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
  readonly log: string;
  /** Ours, if not said. */
  readonly env?: NodeJS.ProcessEnv;
  /** How kill() ends it; its whole group, if not said. */
  readonly killBy?: (pid: number) => void;
}

function tail(path: string, lines: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

export function startProcess({ name, binary, args, log, env, killBy = killGroup }: Start): ServerProcess {
  // Straight into a file: a pipe that nobody reads would stop the server, and the log survives us when it must.
  const file = openSync(log, 'a');
  const child = spawn(binary, args, {
    stdio: ['ignore', file, file],
    detached: true,
    env: env ?? process.env,
  });
  closeSync(file);
  // A server that was forgotten must not keep the process of the tests alive; the watchdog ends it.
  child.unref();
  const pid = child.pid ?? 0;
  let end: string | undefined;
  const ended = new Promise<void>(resolve => {
    const note = (how: string) => {
      end ??= how;
      if (pid > 0) forgetProcess(pid);
      resolve();
    };
    child.once('error', error => note(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => note(`ended with ${signal ?? `code ${code}`}`));
  });
  if (pid > 0) watchProcess(pid);

  const story = () => {
    const last = tail(log, 20);
    return last === '' ? '' : `\nthe end of its log:\n${last}`;
  };
  return {
    name,
    pid,
    get isRunning() {
      return end === undefined;
    },
    assertRunning() {
      if (end !== undefined) throw new Error(`${name} ${end}${story()}`);
    },
    logTail: (lines = 20) => tail(log, lines),
    async kill() {
      child.ref();
      if (end === undefined && pid > 0) killBy(pid);
      await ended;
    },
    async ready(isReady, deadlineMs) {
      const deadline = Date.now() + deadlineMs;
      while (!(await isReady())) {
        if (end !== undefined) throw new Error(`${name} ${end} before it was ready${story()}`);
        if (Date.now() > deadline) {
          await this.kill();
          throw new Error(`${name} was not ready after ${deadlineMs / 1000} s${story()}`);
        }
        await Promise.race([ended, sleep(50)]);
      }
    },
  };
}
