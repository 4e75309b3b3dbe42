// What a run shows: a line for each file that is done, the failures in full at the end, and the count as the last line.
import { inspect } from 'node:util';
import { type FileResult, filesRunning } from './test-file.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const lastLinesOfOutput = 60;

export function out(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function sum(results: readonly Counts[]): Counts {
  const total = (key: keyof Counts) => results.reduce((count, result) => count + result[key], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}

export function showFile(result: FileResult): void {
  const { file, passed, failed, skipped, seconds, notes } = result;
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  out(`${failed > 0 ? 'FAIL' : 'ok  '} ${file.name}: ${counts.join(', ')} (${seconds.toFixed(1)} s)`);
  for (const note of notes) out(`       ${note}`);
}

export function showFailures(results: readonly FileResult[]): void {
  for (const { file, failures, output } of results.filter(result => result.failed > 0)) {
    for (const { name, error } of failures) {
      const text = error instanceof Error ? inspect(error) : String(error);
      out(`\nFAIL ${file.name}\n  ${name}\n${text.replace(/^/gm, '    ')}`);
    }
    const lines = output.trimEnd().split('\n').slice(-lastLinesOfOutput);
    if (output.trim() !== '')
      out(`\n  what ${file.name} printed:\n${lines.join('\n').replace(/^/gm, '    | ')}`);
  }
}

/** Exactly this, as the last line of a run. */
export const countLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** Says what takes long, for as long as it does. */
export function watchSlowFiles(): () => void {
  const timer = setInterval(() => {
    for (const { file, since, current } of filesRunning()) {
      const seconds = Math.round((Date.now() - since) / 1000);
      const where = current === undefined ? '' : `, at "${current}"`;
      if (seconds >= 10) process.stderr.write(`     ${file.name} is running for ${seconds} s${where}\n`);
    }
  }, 15_000);
  timer.unref();
  return () => clearInterval(timer);
}
