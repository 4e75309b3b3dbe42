// A set of test files: those without a cluster first, then those on the shared control plane, the heavy ones last and alone.
import type { TestFile } from './files.ts';
import { showFile } from './report.ts';
import { type SharedPlane, startSharedPlane, stopSharedPlane } from './shared-plane.ts';
import { type FileResult, runTestFile } from './test-file.ts';

// The servers of the control plane need their share of a small machine too.
const width = 2;

export interface SuiteResult {
  readonly results: readonly FileResult[];
  /** Seconds until the control plane was there, binaries built if need be. */
  readonly planeSeconds?: number;
}

async function runFiles(
  files: readonly TestFile[],
  atOnce: number,
  signal: AbortSignal,
): Promise<FileResult[]> {
  const queue = files.values();
  const results: FileResult[] = [];
  const worker = async () => {
    for (const file of queue) {
      if (signal.aborted) return;
      const result = await runTestFile(file, signal);
      showFile(result);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Files that could not be run count one each, so that the last line never looks better than the run was. */
function withoutPlane(files: readonly TestFile[], shared: SharedPlane): FileResult[] {
  const broken = shared.state === 'broken' ? shared.error : undefined;
  const why = shared.state === 'impossible' ? shared.why : 'the control plane did not start';
  process.stderr.write(
    `${broken ? 'failed' : 'skipped'}: ${files.length} files that need a control plane: ${why}\n`,
  );
  return files.map((file, i) => ({
    file,
    seconds: 0,
    notes: [],
    output: '',
    passed: 0,
    failed: broken ? 1 : 0,
    skipped: broken ? 0 : 1,
    failures: broken
      ? [{ name: 'the control plane did not start', error: i === 0 ? broken : 'as above' }]
      : [],
  }));
}

async function runOnPlane(
  files: readonly TestFile[],
  signal: AbortSignal,
  version?: string,
): Promise<SuiteResult> {
  if (files.length === 0) return { results: [] };
  const shared = await startSharedPlane(version);
  if (shared.state !== 'running') return { results: withoutPlane(files, shared) };
  try {
    const light = await runFiles(
      files.filter(file => !file.isHeavy),
      width,
      signal,
    );
    const heavy = await runFiles(
      files.filter(file => file.isHeavy),
      1,
      signal,
    );
    return { results: [...light, ...heavy], planeSeconds: shared.seconds };
  } finally {
    await stopSharedPlane(shared);
  }
}

export async function runSuite(
  files: readonly TestFile[],
  signal: AbortSignal,
  version?: string,
): Promise<SuiteResult> {
  const alone = files.filter(file => !file.needsControlPlane);
  const light = await runFiles(
    alone.filter(file => !file.isHeavy),
    width,
    signal,
  );
  const onPlane = await runOnPlane(
    files.filter(file => file.needsControlPlane),
    signal,
    version,
  );
  const heavy = await runFiles(
    alone.filter(file => file.isHeavy),
    1,
    signal,
  );
  return { ...onPlane, results: [...light, ...onPlane.results, ...heavy] };
}
