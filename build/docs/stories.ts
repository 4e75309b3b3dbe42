// The sessions of the documents, in the order in which they are played: by name, what is typed and what came of it.
import type { Stage } from './stage.ts';
import { deleteHeld, deleteJob, deleteTree } from './stories/delete.ts';
import { makeHistory, prune, prunePods } from './stories/prune.ts';
import { status } from './stories/status.ts';
import { resume, stop } from './stories/stop.ts';
import { unstick } from './stories/unstick.ts';

export async function playStories(stage: Stage): Promise<ReadonlyMap<string, string>> {
  await stage.namespace('batch');
  await makeHistory(stage.admin);
  const told = new Map<string, string>();
  told.set('stop', await stop(stage));
  const { one, all } = await status(stage);
  told.set('status', one);
  told.set('status-all', all);
  told.set('resume', await resume(stage));
  told.set('prune-jobs', await prune(stage));
  told.set('prune-pods', await prunePods(stage));
  told.set('delete-tree', await deleteTree(stage));
  told.set('delete', await deleteJob(stage));
  told.set('delete-held', await deleteHeld(stage));
  told.set('unstick', await unstick(stage));
  return told;
}
