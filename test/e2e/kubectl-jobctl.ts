// Runs `kubectl jobctl …` through the real kubectl, as a user would: found on PATH, with a home of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { assertOwnKubeconfig } from '../cluster/kubeconfig.ts';
import { compileCache, pluginIn } from '../support/plugin.ts';

const home = mkdtempSync(join(tmpdir(), 'jobctl-home-'));
after(() => rmSync(home, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;
let environment: Environment | undefined;

/** Where the plugin is found; a run has one kubectl. */
function environmentFor(kubectl: string): Environment {
  environment ??= { ...pluginIn(home, kubectl), NODE_COMPILE_CACHE: compileCache };
  return environment;
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

interface Running {
  readonly process: ChildProcess;
  /** Everything written so far. */
  readonly soFar: () => Ended;
  readonly ended: Promise<Ended>;
  /** Whether it has ended by now. */
  readonly hasEnded: () => boolean;
}

const longestMs = 110_000;

/** Words as on a shell's command line; no quoting. */
function start(
  kubectl: string,
  kubeconfig: string,
  words: string | readonly string[],
  input?: string,
): Running {
  assertOwnKubeconfig(kubeconfig);
  const argv = typeof words === 'string' ? words.split(' ') : [...words];
  const child = spawn(kubectl, ['jobctl', ...argv], {
    env: { ...environmentFor(kubectl), KUBECONFIG: kubeconfig },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '', code: null as number | null };
  let over = false;
  child.stdout?.on('data', chunk => {
    written.stdout += chunk;
  });
  child.stderr?.on('data', chunk => {
    written.stderr += chunk;
  });
  child.stdin?.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const ended = new Promise<Ended>((done, fail) => {
    child.on('error', fail);
    child.on('close', code => {
      clearTimeout(timer);
      over = true;
      written.code = code;
      done({ ...written });
    });
  });
  return { process: child, soFar: () => ({ ...written }), ended, hasEnded: () => over };
}

/** A user's session: the same kubectl and kubeconfig for every command. */
export interface Session {
  run(words: string | readonly string[], input?: string): Promise<Ended>;
  start(words: string | readonly string[], input?: string): Running;
}

export function session(plane: { readonly kubectl: string }, kubeconfig: string): Session {
  return {
    run: (words, input) => start(plane.kubectl, kubeconfig, words, input).ended,
    start: (words, input) => start(plane.kubectl, kubeconfig, words, input),
  };
}
