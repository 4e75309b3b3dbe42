// Where a binary out of an archive runs: nothing on PATH but itself, nothing in HOME, no word of the checkout.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Target } from '../../build/targets.ts';
import { type Ran, type RunOptions, runCli } from '../support/run-cli.ts';
import { targetOf, unpack } from './release.ts';

export interface Room {
  readonly binary: string;
  run(words: string, options?: RunOptions): Promise<Ran>;
  /** The chunks of the program that a run loads, by the names that esbuild gave them, and their lengths. */
  chunksOf(words: string, options?: RunOptions): Promise<ReadonlyMap<string, number>>;
}

const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';

export async function aRoom(t: TestContext, target: Target = targetOf('linux', arch)): Promise<Room> {
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-room-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, { mode, bytes }] of await unpack(target)) {
    writeFileSync(join(folder, name), bytes);
    chmodSync(join(folder, name), mode);
  }
  const binary = join(folder, 'kubectl-jobctl');
  const run = (words: string, options: RunOptions = {}): Promise<Ran> =>
    runCli(words, { ...options, binary, env: { PATH: folder, ...options.env } });
  return {
    binary,
    run,
    chunksOf: async (words, options = {}) => {
      const coverage = join(folder, `coverage-${words.replaceAll(/\W+/g, '-')}`);
      mkdirSync(coverage);
      await run(words, { ...options, env: { ...options.env, NODE_V8_COVERAGE: coverage } });
      return scriptsIn(coverage);
    },
  };
}

interface Script {
  readonly url: string;
  /** The first is the whole script. */
  readonly functions: readonly [{ readonly ranges: readonly [{ readonly endOffset: number }] }];
}

/** Node writes down each script that it has run: start.ts gives every chunk its name. */
function scriptsIn(folder: string): ReadonlyMap<string, number> {
  const scripts = readdirSync(folder).flatMap(
    file => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: readonly Script[] }).result,
  );
  return new Map(
    scripts
      .filter(({ url }) => url.startsWith('./'))
      .map(({ url, functions }) => [url, functions[0].ranges[0].endOffset]),
  );
}
