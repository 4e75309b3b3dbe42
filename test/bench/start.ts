// `npm run bench:start [-- ROUNDS]`: how long the binary of dist/ takes to start, side by side with the Node that is in it and
// nothing to do, and with kubectl. In turn, so that what else the machine does hits all of them. Judges nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterBinaries } from '../cluster/binaries.ts';
import { targetOf, unpack } from '../package/release.ts';

const rounds = Number(process.argv[2] ?? 40);
const folder = mkdtempSync(join(tmpdir(), 'jobctl-start-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const archive = await unpack(targetOf('linux', process.arch === 'arm64' ? 'arm64' : 'amd64'));
const binary = join(folder, 'kubectl-jobctl');
writeFileSync(binary, archive.get('kubectl-jobctl')?.bytes ?? '', { mode: 0o755 });
const { kubectl } = (await clusterBinaries()).path;

const bare = 'node -e 0';
const commands: Readonly<Record<string, readonly string[]>> = {
  // not the file in node_modules/.bin: a link is a file more
  [bare]: [process.execPath, '-e', '0'],
  'kubectl --help': [kubectl, '--help'],
  '--help': [binary, '--help'],
  version: [binary, 'version'],
  'a usage error': [binary, 'delete', '--no-such-flag'],
  'completion of a verb': [binary, '__complete', 'de'],
};

const taken = new Map<string, number[]>(Object.keys(commands).map(name => [name, []]));
for (let round = 0; round <= rounds; round++) {
  for (const [name, [file = '', ...args]] of Object.entries(commands)) {
    const startedMs = performance.now();
    spawnSync(file, args, { stdio: 'ignore', env: { HOME: folder, PATH: folder } });
    // the first round only brings the files into memory
    if (round > 0) taken.get(name)?.push(performance.now() - startedMs);
  }
}

const best = (name: string): number => Math.min(...(taken.get(name) ?? []));
const median = (name: string): number =>
  (taken.get(name) ?? []).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
const cells = (name: string, figure: (name: string) => number): string =>
  [figure(name).toFixed(1), (figure(name) / figure(bare)).toFixed(2)].map(text => text.padStart(9)).join('');

process.stdout.write(`${rounds} rounds, Node ${process.version}, milliseconds and ratio to ${bare}\n`);
process.stdout.write(`${''.padEnd(22)}     best    ratio   median    ratio\n`);
for (const name of Object.keys(commands))
  process.stdout.write(`${name.padEnd(22)}${cells(name, best)}${cells(name, median)}\n`);
