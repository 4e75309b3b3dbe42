// Somebody's machine with kubectl, krew and git on it and nothing else: an empty home, no plugin, no Node on PATH.
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { clusterBinaries } from '../cluster/binaries.ts';
import { krewBinaries } from '../cluster/krew/module.ts';
import { assertOwnKubeconfig } from '../cluster/kubeconfig.ts';
import { commandOnPath } from './command-on-path.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KrewPlace {
  /** Where krew keeps everything. */
  readonly root: string;
  kubectl(words: string, kubeconfig?: string): Promise<Ended>;
  /** As the reviewers of krew's index call it. */
  validate(...words: readonly string[]): Promise<Ended>;
  /** Every file of this machine, git's own apart; a link with what it points at. */
  files(): readonly string[];
}

/** `env`: KREW_OS, KREW_ARCH, and the index as KREW_DEFAULT_INDEX_URI. */
export async function aKrewPlace(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<KrewPlace> {
  const machine = mkdtempSync(join(tmpdir(), 'jobctl-krew-'));
  t.after(() => rmSync(machine, { recursive: true, force: true }));
  const [tools, home, root, temporary] = ['tools', 'home', 'krew', 'tmp'].map(name => {
    mkdirSync(join(machine, name));
    return join(machine, name);
  }) as [string, string, string, string];
  const { krew, validator } = await krewBinaries();
  const { path } = await clusterBinaries();
  symlinkSync(path.kubectl, join(tools, 'kubectl'));
  symlinkSync(krew, join(tools, 'kubectl-krew'));
  symlinkSync(commandOnPath('git'), join(tools, 'git'));
  const environment = {
    HOME: home,
    TMPDIR: temporary,
    PATH: `${tools}:${join(root, 'bin')}`,
    KREW_ROOT: root,
    GIT_CONFIG_NOSYSTEM: '1',
    ...env,
  };
  const start = (file: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(file, words, { cwd: machine, env: { ...environment, ...more } });
  return {
    root,
    kubectl: (words, kubeconfig = join(home, 'no-kubeconfig')) => {
      if (!kubeconfig.startsWith(home)) assertOwnKubeconfig(kubeconfig);
      return start(join(tools, 'kubectl'), words.split(' '), { KUBECONFIG: kubeconfig });
    },
    validate: (...words) => start(validator, words),
    files: () => filesBelow(machine),
  };
}

interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function run(file: string, words: readonly string[], where: Where): Promise<Ended> {
  const child = spawn(file, words, { ...where, stdio: ['ignore', 'pipe', 'pipe'], timeout: 90_000 });
  const code = new Promise<number | null>((ended, failed) => child.on('error', failed).on('close', ended));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !name.split('/').includes('.git'))
    .sort()
    .map(name => {
      const isLink = lstatSync(join(folder, name)).isSymbolicLink();
      return isLink ? `${name} -> ${relative(folder, readlinkSync(join(folder, name)))}` : name;
    });
}
