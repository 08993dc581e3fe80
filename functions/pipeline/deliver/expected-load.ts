import { LARGEST_RESOURCE_BYTES } from '../../core/message/message.ts';
import type { Load } from '../../runtime/room.ts';
import type { Incoming } from './ports.ts';

/**
 * The load of records and of what is read for them. The largest resource is assumed where it is not in the
 * record.
 */
export function expectedLoad(records: readonly Incoming[]): Load {
  const bytes = records.map((record) =>
    'signal' in record || record.message.resource === undefined ? LARGEST_RESOURCE_BYTES : record.body.length,
  );
  return { records: records.length, bytes: bytes.reduce((sum, some) => sum + some, 0) };
}
