// Divides the work of several runs by group, so that every rule still sees the whole of a group in one run.
import { createHash } from 'node:crypto';

export function isInShard(groupKey: string, shard: { readonly index: number; readonly of: number }): boolean {
  return createHash('sha256').update(groupKey).digest().readUInt32BE(0) % shard.of === shard.index;
}
