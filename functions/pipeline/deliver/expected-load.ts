import { LARGEST_RESOURCE_BYTES } from '../../core/message/message.ts';
import type { Load } from '../../runtime/room.ts';
import type { Incoming } from './ports.ts';

/** What records come to with what will be read for them: nobody knows yet how large a body is that did not travel, or waits in its key. */
export function expectedLoad(records: readonly Incoming[]): Load {
  const bytes = records.map((record) =>
    'signal' in record || record.message.resource === undefined ? LARGEST_RESOURCE_BYTES : record.body.length,
  );
  return { records: records.length, bytes: bytes.reduce((sum, some) => sum + some, 0) };
}
