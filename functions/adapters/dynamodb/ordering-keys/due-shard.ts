import { createHash } from 'node:crypto';
import { DUE_SHARDS } from '../table-keys.ts';

/** The partition of a due index for an item of this name. */
export function dueShard(name: string): string {
  return String(createHash('sha256').update(name).digest().readUInt32BE() % DUE_SHARDS);
}

/** All partitions of a due index. */
export const ALL_DUE_SHARDS: readonly string[] = Array.from({ length: DUE_SHARDS }, (_, shard) =>
  String(shard),
);
