// Where the command line is, and the empty room it runs in.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertMadeByTests } from './fake/kubeconfig.ts';
import type { FakeApi } from './fake-api.ts';
import { compileCache } from './plugin.ts';

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Reaching {
  /** Its standard kubeconfig is used, unless `kubeconfig` names another. */
  readonly api?: FakeApi;
  /** null: there is none. */
  readonly kubeconfig?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** A binary out of an archive, instead of src. Without it the one that KUBECTL_JOBCTL_BINARY names, if it does. */
  readonly binary?: string;
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
  line: string | readonly string[],
  { api, kubeconfig, env, binary = process.env['KUBECTL_JOBCTL_BINARY'] }: Reaching,
): Invocation {
  const words = typeof line === 'string' ? split(line) : line;
  const path = kubeconfig === undefined ? api?.kubeconfig() : kubeconfig;
  assertStaysHere(words, [path ?? '', env?.['KUBECONFIG'] ?? '']);
  const home = mkdtempSync(join(tmpdir(), 'jobctl-home-'));
  return {
    file: binary ?? process.execPath,
    args: binary === undefined ? ['--disable-warning=ExperimentalWarning', entry, ...words] : words,
    env: {
      HOME: home,
      // a test that gives no kubeconfig must not fall through to a cluster that it is running in
      KUBECONFIG: path ?? join(home, 'no-kubeconfig'),
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
    cwd: home,
    leave: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Whatever may say which cluster it is: every kubeconfig is the tests' own, every server is local or nowhere (RFC 6761). */
function assertStaysHere(words: readonly string[], lists: readonly string[]): void {
  const flagged = (name: string) =>
    words.flatMap((word, at) =>
      word === name ? (words[at + 1] ?? []) : word.startsWith(`${name}=`) ? word.slice(name.length + 1) : [],
    );
  const paths = [...lists, ...flagged('--kubeconfig')]
    .flatMap(list => list.split(':'))
    .filter(path => path !== '');
  for (const path of paths) if (existsSync(path)) assertMadeByTests(path);
  for (const server of [...flagged('--server'), ...flagged('-s')]) {
    const { hostname } = new URL(server.includes('://') ? server : `https://${server}`);
    if (!/^(127\.0\.0\.1|localhost|\[::1\]|.*\.invalid)$/.test(hostname))
      throw new Error(`${server} is not local; refusing to use it`);
  }
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
