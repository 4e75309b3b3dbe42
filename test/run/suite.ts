// A set of test files: those without a cluster first, then those on the shared control plane, the heavy ones last and alone,
// those with a node after all others.
import type { TestFile } from './files.ts';
import { obstacleToNode } from './node.ts';
import { showFile } from './report.ts';
import { startSharedPlane, stopSharedPlane } from './shared-plane.ts';
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

interface Obstacle {
  /** What the files need: `a control plane`. */
  readonly what: string;
  readonly why: string;
  /** Set when it should have been there. */
  readonly error?: unknown;
}

/** Files that could not be run count one each, so that the last line never looks better than the run was. */
function notRun(files: readonly TestFile[], { what, why, error }: Obstacle): FileResult[] {
  const how = error === undefined ? 'skipped' : 'failed';
  process.stderr.write(`${how}: ${files.length} files that need ${what}: ${why}\n`);
  return files.map((file, i) => ({
    file,
    seconds: 0,
    notes: [],
    output: '',
    passed: 0,
    failed: error === undefined ? 0 : 1,
    skipped: error === undefined ? 1 : 0,
    failures: error === undefined ? [] : [{ name: why, error: i === 0 ? error : 'as above' }],
  }));
}

async function runOnPlane(
  files: readonly TestFile[],
  signal: AbortSignal,
  version?: string,
): Promise<SuiteResult> {
  if (files.length === 0) return { results: [] };
  const shared = await startSharedPlane(version);
  if (shared.state !== 'running') {
    const obstacle =
      shared.state === 'broken'
        ? { why: 'the control plane did not start', error: shared.error }
        : { why: shared.why };
    return { results: notRun(files, { what: 'a control plane', ...obstacle }) };
  }
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

async function runWithNode(
  files: readonly TestFile[],
  signal: AbortSignal,
  version?: string,
): Promise<readonly FileResult[]> {
  if (files.length === 0 || signal.aborted) return [];
  const obstacle = await obstacleToNode(version);
  return obstacle === undefined
    ? runFiles(files, 1, signal)
    : notRun(files, { what: 'a real node', ...obstacle });
}

export async function runSuite(
  files: readonly TestFile[],
  signal: AbortSignal,
  version?: string,
): Promise<SuiteResult> {
  const alone = files.filter(file => !file.needsControlPlane && !file.needsNode);
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
  const withNode = await runWithNode(
    files.filter(file => file.needsNode),
    signal,
    version,
  );
  return { ...onPlane, results: [...light, ...onPlane.results, ...heavy, ...withNode] };
}
