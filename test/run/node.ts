// Whether the tests with a real node can be run here: found out once, before them. Their binaries are built here too, where
// the progress is seen and no test's time runs.
import { clusterBinaries } from '../cluster/binaries.ts';
import { GoUnusable } from '../cluster/go-build.ts';
import { nodeBinaries } from '../cluster/node/binaries.ts';
import { whyNoNode } from '../cluster/node/requirements.ts';

export interface NodeObstacle {
  readonly why: string;
  /** Set when it is more than a reason to skip, which in CI nothing is. */
  readonly error?: unknown;
}

const isCi = (): boolean => process.env['CI'] === 'true';

export async function obstacleToNode(version?: string): Promise<NodeObstacle | undefined> {
  const why = whyNoNode();
  if (why !== undefined) return isCi() ? { why, error: new Error(why) } : { why };
  try {
    await nodeBinaries((await clusterBinaries(version)).version);
    return undefined;
  } catch (error) {
    if (error instanceof GoUnusable && !isCi()) return { why: error.message };
    return { why: 'its binaries could not be built', error };
  }
}
