// node build/docs/recording.ts: runs the demo in a pseudo-terminal and writes docs/demo.svg. What is shown is what it printed; only the
// pace is ours, so that it can be read.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { docs, root } from './places.ts';
import { steady } from './steady.ts';
import { type Line, terminalSvg } from './terminal-svg.ts';

interface Recorded {
  readonly text: string;
  readonly isWarning: boolean;
  /** Seconds since the start. */
  readonly at: number;
}

/** Wide enough that nothing is wrapped. */
const columns = 500;
const size = { columns: 132, rows: 34 };

async function record(): Promise<readonly Recorded[]> {
  const terminal = new headless.Terminal({
    cols: columns,
    rows: 50,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  const child = spawn(process.execPath, [join(root, 'test', 'demo', 'demo.ts')], {
    cols: columns,
    rows: 50,
    cwd: root,
    name: 'xterm-256color',
    env: process.env,
  });
  const { active } = terminal.buffer;
  const stoodAt: number[] = [];
  const started = performance.now();
  child.onData(data => {
    const at = (performance.now() - started) / 1000;
    // a line stands once the cursor is below it: what is drawn over in between is progress
    terminal.write(data, () => {
      while (stoodAt.length < active.baseY + active.cursorY) stoodAt.push(at);
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.onExit(({ exitCode }) =>
    exitCode === 0
      ? terminal.write('', () => resolve())
      : reject(new Error(`the demo ended with ${exitCode}`)),
  );
  await promise;
  return stoodAt.map((at, row) => {
    const line = active.getLine(row);
    return {
      text: line?.translateToString(true) ?? '',
      isWarning: line?.getCell(0)?.isFgDefault() === false,
      at,
    };
  });
}

function steadied(lines: readonly Recorded[]): readonly Recorded[] {
  const text = lines.map(line => line.text).join('\n');
  const [, server = 'none'] = /^Kubernetes \S+ at (https:\S+)$/m.exec(text) ?? [];
  const [, folder = 'none'] = / (\S+)\/evidence/.exec(text) ?? [];
  const [, generated] = /-l job-name=(\S+)/.exec(text) ?? [];
  const run = {
    server,
    paths: { [`${folder}/`]: '' },
    generated: generated === undefined ? [] : [generated],
  };
  const steadyLines = steady(text, run).split('\n');
  return lines.map((line, at) => ({ ...line, text: steadyLines[at] ?? '' }));
}

/** Waits are cut to a second; before each command there is time to read what the last one said. */
function paced(lines: readonly Recorded[]): Line[] {
  let now = 0;
  let unread = 0;
  return lines.map((line, row) => {
    const before = lines[row - 1];
    now += Math.min(line.at - (before?.at ?? line.at), 1);
    const look = lookOf(line);
    if (look === 'typed' || look === 'told') {
      now += Math.min(1 + unread * 0.15, 4.5);
      unread = 0;
    }
    unread += 1;
    return { text: line.text, look, at: now };
  });
}

function lookOf({ text, isWarning }: Recorded): Line['look'] {
  if (isWarning) return 'warning';
  if (text.startsWith('$ ')) return 'typed';
  if (text.startsWith('✓')) return 'held';
  return told.has(text) ? 'told' : 'plain';
}

/** What the demo tells in its own words, in its sources. */
const told: ReadonlySet<string> = new Set(
  ['demo', 'history', 'emergency-stop'].flatMap(name =>
    [
      ...readFileSync(join(root, 'test', 'demo', `${name}.ts`), 'utf8').matchAll(
        /stage\.tell\(\s*'(.+?)',?\s*\)/g,
      ),
    ].map(([, text]) => text ?? ''),
  ),
);

const svg = terminalSvg(paced(steadied(await record())), size);
writeFileSync(join(docs, 'demo.svg'), svg);
process.stdout.write(`docs/demo.svg: ${Math.ceil(svg.length / 1024)} KiB\n`);
