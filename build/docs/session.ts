// One session at a terminal, as a page shows it: each line that was typed, and what came of it, both streams in the order in which they
// were written. The real kubectl finds the plugin on PATH.
import { type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginIn } from '../../test/support/plugin.ts';
import type { Run } from './steady.ts';
import { steady } from './steady.ts';

export interface Session {
  /** Echoed and run; answers what it printed. `> /dev/null` and `2> /dev/null` at its end mean what they mean to a shell. */
  kubectl(line: string): Promise<string>;
  /** `echo $?` */
  exitCode(): void;
  /** What was typed and printed until now. */
  text(): string;
}

interface Place {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** A folder of its own, which is HOME and the working folder too. */
  readonly home: string;
  readonly run: Omit<Run, 'paths'>;
}

export function openSession({ kubectl, kubeconfig, home, run }: Place): Session {
  mkdirSync(home, { recursive: true });
  const env = { ...pluginIn(home, kubectl), KUBECONFIG: kubeconfig, TERM: 'dumb' };
  const told: string[] = [];
  let last = 0;
  let count = 0;
  return {
    async kubectl(line) {
      const file = join(home, `out-${count++}`);
      const out = openSync(file, 'w');
      const [, typed = '', quiet] = /^(.*?)(?: (2?)> \/dev\/null)?$/.exec(line) ?? [];
      last = await ended(kubectl, words(typed), {
        env,
        cwd: home,
        stdio: ['ignore', quiet === '' ? 'ignore' : out, quiet === '2' ? 'ignore' : out],
      });
      closeSync(out);
      const printed = readFileSync(file, 'utf8').trimEnd();
      told.push([`$ kubectl ${line}`, printed].filter(Boolean).join('\n'));
      return printed;
    },
    exitCode: () => {
      told.push(`$ echo $?\n${last}`);
    },
    text: () => steady(`${told.join('\n\n')}\n`, { ...run, paths: { [`${home}/`]: '', [home]: '.' } }),
  };
}

function ended(
  program: string,
  argv: readonly string[],
  how: Pick<SpawnOptions, 'env' | 'cwd' | 'stdio'>,
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, argv, how);
    child.on('error', fail);
    child.on('close', code => done(code ?? 1));
  });
}

/** Splits at spaces; single and double quotes hold a word together. */
const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain ?? '');
