// The process edge: argv, streams, signals, exit code. The only file that says `process`, and the only catcher.
import manifest from '../package.json' with { type: 'json' };
import type { Cluster } from './cluster/connect.ts';
import type { Texts } from './commands/command.ts';
import { EarlyEnd, exitCodes } from './errors.ts';
import type { Options, StatusOptions, WritingOptions } from './model/options.ts';
import type { Reading } from './planners.ts';
import { readCommandLine } from './program.ts';
import { Screen } from './screen.ts';

const { argv, env, stdin, stdout, stderr } = process;
const screen = new Screen(stdout, stderr);
const interrupt = new AbortController();
const { version } = manifest;

async function main(): Promise<number> {
  const asked = await readCommandLine(argv.slice(2), version, stdout.columns ?? 100);
  if (asked.do === 'show') {
    await screen.show({ out: [asked.text] });
    return exitCodes.done;
  }
  if (asked.do === 'complete') return await answerKubectl(asked.typed);
  return await runVerb(asked.command.options(asked.words, asked.texts), asked.texts);
}

/** It ends here: what is still under way must not keep the shell waiting for what nobody will use. */
async function answerKubectl(typed: readonly string[]): Promise<never> {
  const { complete } = await import('./complete.ts');
  // since the start of the process
  const elapsedMs = performance.now();
  const { lines, late } = await complete(typed, { env, version, elapsedMs });
  await screen.show({ out: lines });
  await screen.flushed();
  // exit waits for the threads that ask a name server (10 s, measured); a program that takes our place does not
  if (late && process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', ':'], {});
  process.exit(exitCodes.done);
}

async function runVerb(options: Options, texts: Texts): Promise<number> {
  // loaded only now: help, version and usage errors need neither the client library nor the corridor
  const { connect } = await import('./cluster/connect.ts');
  const { pause } = await import('./cluster/pause.ts');
  const { readConnection } = await import('./commands/connection.ts');
  const connection = readConnection(texts);
  let warned = false;
  if ('quiet' in options && options.quiet) screen.withoutProgress();
  const cluster = connect(connection, {
    env,
    version,
    signal: interrupt.signal,
    onWarning: text => {
      warned = true;
      screen.note(`Warning: ${text}`);
    },
    onRequest: line => screen.request(line, (connection.verbosity ?? 0) > 0),
  });
  const startedMs = performance.now();
  const reading: Reading = {
    read: cluster.reader,
    signal: interrupt.signal,
    readStdin,
    elapsedMs: () => performance.now() - startedMs,
    pause: ms => pause(ms, interrupt.signal),
    show: lines => screen.show(lines),
  };
  try {
    const code = await (options.verb === 'status'
      ? lookOnly(options, reading)
      : runAndWrite(options, reading, cluster));
    return warned && connection.warningsAsErrors === true && code === exitCodes.done ? exitCodes.error : code;
  } finally {
    await cluster.close();
  }
}

async function runAndWrite(options: WritingOptions, reading: Reading, cluster: Cluster): Promise<number> {
  const { run } = await import('./run.ts');
  const { openArchive } = await import('./archive.ts');
  onInterrupt(
    options.quiet ? undefined : 'interrupted: finishing the calls in flight (again to end at once)',
  );
  return await run(options, {
    ...reading,
    makeWriter: cluster.makeWriter,
    ...(stdin.isTTY && stderr.isTTY
      ? { terminal: { input: stdin, output: stderr, signal: interrupt.signal } }
      : {}),
    openArchive,
    invocation: { command: ['kubectl jobctl', ...argv.slice(2)].join(' '), version },
  });
}

/** It is not given what writes. */
async function lookOnly(options: StatusOptions, reading: Reading): Promise<number> {
  const { look } = await import('./look.ts');
  onInterrupt();
  return await look(options, { ...reading, ...(stderr.isTTY ? { rows: () => stderr.rows } : {}) });
}

/** The first Ctrl-C lets the calls in flight finish; the second one ends at once. */
function onInterrupt(note?: string): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
      if (note !== undefined) screen.note(note);
      interrupt.abort();
    });
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

const exitOf = {
  usage: exitCodes.error,
  cluster: exitCodes.error,
  refused: exitCodes.refused,
  declined: exitCodes.declined,
} as const;

async function caught(problem: unknown): Promise<number> {
  if (problem instanceof EarlyEnd) {
    if (problem.kind === 'cluster' && interrupt.signal.aborted) return exitCodes.interrupted;
    // what comes from the cluster is in kubectl's words already
    const isWhole = problem.kind === 'declined' || problem.kind === 'cluster';
    const hint = problem.hint === undefined ? [] : [problem.hint];
    await screen.show({ err: [`${isWhole ? '' : 'error: '}${problem.message}`, ...hint] });
    return exitOf[problem.kind];
  }
  const detail = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  await screen.show({
    err: ['error: this is a bug in kubectl-jobctl; please report it with what follows', detail],
  });
  return exitCodes.bug;
}

// Not at the top level: the binary's chunks are CommonJS, which knows no await there (build/bundle.ts).
async function end(): Promise<void> {
  process.exitCode = await main().catch(caught);
  await screen.flushed();
}

// stands if the work neither ends nor fails, and nothing is left to wait for
process.exitCode = exitCodes.bug;
void end();
