// The tests that need a control plane, on every pinned version of Kubernetes.
import { pinnedVersions } from '../cluster/versions.ts';
import { controlPlaneFiles } from './files.ts';
import { type Counts, out, sum } from './report.ts';
import { runSuite } from './suite.ts';
import type { FileResult } from './test-file.ts';

interface Row extends Counts {
  readonly version: string;
  readonly binaries: string;
  readonly seconds: number;
}

function table(rows: readonly Row[]): string {
  const cells = rows.map(row =>
    [row.version, row.binaries, row.passed, row.failed, row.skipped, Math.round(row.seconds)].map(String),
  );
  const all = [['version', 'binaries', 'passed', 'failed', 'skipped', 'seconds'], ...cells];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map(line => (line[column] ?? '').length)));
  return all
    .map(line =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export async function runMatrix(signal: AbortSignal): Promise<readonly FileResult[]> {
  // Ready ones are of one version only.
  delete process.env['JOBCTL_CLUSTER_BIN'];
  const results: FileResult[] = [];
  const rows: Row[] = [];
  for (const { minor, version } of pinnedVersions()) {
    if (signal.aborted) break;
    out(`\nKubernetes ${version}`);
    const started = Date.now();
    // For the files that start control planes of their own.
    process.env['JOBCTL_KUBERNETES'] = minor;
    const suite = await runSuite(controlPlaneFiles(), signal, minor);
    results.push(...suite.results);
    const binaries =
      suite.planeSeconds === undefined ? 'none' : `ready in ${Math.round(suite.planeSeconds)} s`;
    rows.push({ version, binaries, ...sum(suite.results), seconds: (Date.now() - started) / 1000 });
  }
  out(`\n${table(rows)}`);
  return results;
}
