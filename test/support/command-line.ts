// Where the command line is, and the empty room it runs in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertMadeByTests } from './fake/kubeconfig.ts';
import type { FakeApi } from './fake-api.ts';

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Reaching {
  /** Its standard kubeconfig is used, unless `kubeconfig` names another. */
  readonly api?: FakeApi;
  /** null: there is none. */
  readonly kubeconfig?: string | null;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Takes the home folder away. */
  readonly leave: () => void;
}

/** What kubectl would start, in an environment in which only KUBECONFIG points at a cluster: one that these tests made. */
export function invocationOf(
  words: string | readonly string[],
  { api, kubeconfig, env }: Reaching,
): Invocation {
  const path = kubeconfig === undefined ? api?.kubeconfig() : kubeconfig;
  for (const one of (path ?? env?.['KUBECONFIG'] ?? '').split(':')) if (one !== '') assertMadeByTests(one);
  const home = mkdtempSync(join(tmpdir(), 'jobctl-home-'));
  return {
    file: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      entry,
      ...(typeof words === 'string' ? split(words) : words),
    ],
    env: {
      HOME: home,
      // a test that gives no kubeconfig must not fall through to a cluster that it is running in
      KUBECONFIG: path ?? join(home, 'no-kubeconfig'),
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      ...env,
    },
    cwd: home,
    leave: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** As a shell splits words: quotes keep blanks, a backslash keeps the next sign. Nothing is expanded. */
export function split(line: string): string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map(word =>
    word.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, escaped?: string) =>
        double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}
