// The tests with a real KEDA: what they run on is built here first, where its progress is seen and no test's time runs.
import { clusterBinaries } from '../cluster/binaries.ts';
import { kedaBinary } from '../cluster/keda/module.ts';
import { kedaFiles } from './files.ts';
import { runSuite } from './suite.ts';
import type { FileResult } from './test-file.ts';

export async function runKeda(signal: AbortSignal): Promise<readonly FileResult[]> {
  await clusterBinaries();
  await kedaBinary();
  return (await runSuite(kedaFiles(), signal)).results;
}
