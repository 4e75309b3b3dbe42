// Objects on their way out: deleted, and held by something.
import type { Admin, Fields, KubeObject } from '../admin.ts';
import { until } from '../until.ts';

/**
 * Sends DELETE with these options and answers the object once it carries a deletionTimestamp. That is now: the server
 * lets nobody write an earlier one, so how long something is stuck can only be waited for.
 */
export async function deleteAndHold(admin: Admin, path: string, options: Fields = {}): Promise<KubeObject> {
  if (!(await admin.delete(path, options))) throw new Error(`${path} is not there to be deleted`);
  return until(`${path} to be terminating`, 10_000, async () => {
    const object = await admin.get(path);
    return object.metadata.deletionTimestamp !== undefined && object;
  });
}
