import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { messageRecordSchema } from '../../../core/message/history.ts';
import type { Content, ReadContents } from '../../../core/message/look-into.ts';
import { type ResourceName, resourceKey } from '../../../core/message/message.ts';
import type { Item } from '../marshalled.ts';
import { valuesOf } from '../readable.ts';
import { batchGet } from '../table-batch.ts';
import { messageAddress, resourceAddress } from '../table-keys.ts';
import { readMessage } from './message-item.ts';
import { resourceIn } from './stored-resource.ts';

/** Reads what messages say. Unreadable ones are left out and passed to `onInternalError`. */
export function messageContents(
  client: DynamoDBClient,
  table: string,
  onInternalError: (internalError: Error) => void,
): ReadContents {
  const read = async (keys: readonly Item[]): Promise<readonly Item[]> =>
    keys.length === 0 ? [] : ((await batchGet(client, [{ table, keys }])).get(table) ?? []);
  return async (messages) => {
    const items = await read(messages.map(({ message_id }) => messageAddress(message_id)));
    const records = valuesOf(items, (item) => readMessage(item, messageRecordSchema), onInternalError);
    const large = records.filter(({ resource }) => resource === undefined);
    const stored = new Map(valuesOf(await read(large.map(resourceAddress)), storedResource, onInternalError));
    return new Map(
      records.flatMap((record): [string, Content][] => {
        const resource = record.resource ?? stored.get(resourceKey(record));
        return resource ? [[record.message_id, { record, resource }]] : [];
      }),
    );
  };
}

/** By the name of its event, or why it cannot be read. */
function storedResource(item: Item): readonly [string, string] | Error {
  const name = resourceKey(item as unknown as ResourceName);
  try {
    return [name, resourceIn(item)];
  } catch (error) {
    return new Error(`the resource of event ${name}: ${(error as Error).message}`);
  }
}
