// node test/run.ts check | all | matrix | keda | FILES…
// Ends with the line `N passed, N failed, N skipped`, and with 0 only if something passed and nothing failed.
import { allFiles, checkFiles, namedFiles } from './run/files.ts';
import { runKeda } from './run/keda.ts';
import { runMatrix } from './run/matrix.ts';
import { countLine, out, showFailures, sum, watchSlowFiles } from './run/report.ts';
import { runSuite } from './run/suite.ts';
import type { FileResult } from './run/test-file.ts';

const interruption = new AbortController();

async function runTests(words: readonly string[]): Promise<readonly FileResult[]> {
  const { signal } = interruption;
  switch (words[0]) {
    case undefined:
      throw new Error('say what to run: check, all, matrix, keda, or test files');
    case 'check':
      return (await runSuite(checkFiles(), signal)).results;
    case 'all':
      return (await runSuite(allFiles(), signal)).results;
    case 'matrix':
      return runMatrix(signal);
    case 'keda':
      return runKeda(signal);
    default:
      return (await runSuite(namedFiles(words), signal)).results;
  }
}

async function main(): Promise<number> {
  const unwatch = watchSlowFiles();
  const results = await runTests(process.argv.slice(2));
  unwatch();
  showFailures(results);
  const counts = sum(results);
  out('');
  if (counts.passed + counts.failed + counts.skipped === 0) out('no test was run');
  out(countLine(counts));
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    // Ends the test files too; what they and we started is cleared away on exit.
    interruption.abort();
    out(`interrupted\n${countLine({ passed: 0, failed: 1, skipped: 0 })}`);
    process.exit(code);
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  out(countLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exitCode = 1;
}
