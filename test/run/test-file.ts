// Runs one test file in a process of its own.
import { type EventData, run } from 'node:test';
import type { TestFile } from './files.ts';
import { FileTally, type Tally } from './tally.ts';

/** What node:test tells, as far as it is used here. */
export type TestEvent =
  | {
      readonly type: 'test:dequeue' | 'test:start';
      readonly data: { readonly name: string; readonly nesting: number };
    }
  | { readonly type: 'test:pass'; readonly data: EventData.TestPass }
  | { readonly type: 'test:fail'; readonly data: EventData.TestFail };

export interface FileResult extends Tally {
  readonly file: TestFile;
  readonly seconds: number;
  /** What the tests wished to tell: t.diagnostic(). */
  readonly notes: readonly string[];
  readonly output: string;
}

export interface Running {
  readonly file: TestFile;
  readonly since: number;
  readonly current: string | undefined;
}

const aMinute = 60_000;
const limits = {
  usual: { test: 2 * aMinute, file: 10 * aMinute },
  heavy: { test: 10 * aMinute, file: 25 * aMinute },
};

const running = new Set<{ file: TestFile; since: number; tally: FileTally }>();

/** What is being run at the moment, for whoever waits. */
export const filesRunning = (): readonly Running[] =>
  [...running].map(({ file, since, tally }) => ({ file, since, current: tally.current }));

export async function runTestFile(file: TestFile, signal: AbortSignal): Promise<FileResult> {
  const limit = file.isHeavy ? limits.heavy : limits.usual;
  const limiter = new URL('./time-limit.ts', import.meta.url);
  limiter.searchParams.set('ms', String(limit.test));
  const orphan = new URL('./orphan.ts', import.meta.url);
  const tally = new FileTally(file.path);
  const entry = { file, since: Date.now(), tally };
  const notes: string[] = [];
  const output: string[] = [];
  running.add(entry);
  const events = run({
    files: [file.path],
    isolation: 'process',
    timeout: limit.file,
    execArgv: ['--import', limiter.href, '--import', orphan.href],
    signal,
  });
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') output.push(event.data.message);
    else if (event.type === 'test:diagnostic' && event.data.file !== undefined)
      notes.push(event.data.message);
    else tally.take(event as TestEvent);
  }
  running.delete(entry);
  const { passed, failed, skipped, failures } = tally;
  const seconds = (Date.now() - entry.since) / 1000;
  return { file, seconds, notes, output: output.join(''), passed, failed, skipped, failures };
}
