// Runs the command line in a pseudo-terminal, so that questions, colours and updating lines can be tested as a person sees them.
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { type Invocation, invocationOf, type Reaching } from './command-line.ts';

export interface TerminalSize {
  readonly columns?: number;
  readonly rows?: number;
  /** Killed when it takes longer; 30 s. */
  readonly deadlineMs?: number;
}

export interface TerminalOptions extends Reaching, TerminalSize {}

export interface Term {
  /** What is on the screen, and what has scrolled out of it, without blanks at the ends of lines. */
  screen(): string;
  /** Everything that was written, with its escape sequences. */
  written(): string;
  /** Until the screen shows it; throws with the screen when it ends or time runs out. */
  waitFor(what: RegExp, deadlineMs?: number): Promise<void>;
  /** `\r` is Enter, `\x03` Ctrl-C, `\x1b[B` arrow down. */
  type(text: string): void;
  /** The exit code, once everything that was written is on the screen. */
  readonly ended: Promise<number>;
}

export const runInTerminal = (words: string | readonly string[], options: TerminalOptions = {}): Term =>
  startInTerminal(invocationOf(words, options), options);

/** Any program. */
export function startInTerminal({ file, args, env, cwd, leave }: Invocation, size: TerminalSize = {}): Term {
  const { columns: cols = 100, rows = 40, deadlineMs = 30_000 } = size;
  const screen = new headless.Terminal({ cols, rows, scrollback: 10_000, allowProposedApi: true });
  const child = spawn(file, [...args], {
    cols,
    rows,
    cwd,
    name: 'xterm-256color',
    env: { TERM: 'xterm-256color', ...env },
  });
  let written = '';
  let hasEnded = false;
  child.onData(data => {
    written += data;
    screen.write(data);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // who fails at a waitFor before never comes to await the end
  promise.catch(() => undefined);
  const deadline = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new Error(`${args.join(' ')} did not end within ${deadlineMs} ms\n${textOf(screen)}`));
  }, deadlineMs);
  child.onExit(({ exitCode, signal }) => {
    hasEnded = true;
    clearTimeout(deadline);
    leave();
    // the screen draws later than it is written to
    screen.write('', () => resolve(signal ? 128 + signal : exitCode));
  });
  return {
    screen: () => textOf(screen),
    written: () => written,
    type: text => child.write(text),
    ended: promise,
    waitFor: async (what, withinMs = 10_000) => {
      const until = performance.now() + withinMs;
      while (!what.test(textOf(screen))) {
        if (hasEnded || performance.now() > until)
          throw new Error(`never showed ${what}:\n${textOf(screen)}`);
        await sleep(10);
      }
    },
  };
}

function textOf({ buffer }: InstanceType<typeof headless.Terminal>): string {
  const { active } = buffer;
  const lines = Array.from(
    { length: active.length },
    (_, at) => active.getLine(at)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}
