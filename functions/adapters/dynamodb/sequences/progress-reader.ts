import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { sequenceProgressSchema } from '../../../core/sequence/payment-sequence.ts';
import type { ReadProgress } from '../../../core/sequence/ports.ts';
import { marshalled } from '../marshalled.ts';
import { FORMAT_VERSION, read } from '../readable.ts';
import { sequencesTable } from '../table-keys.ts';
import { sequenceAddress } from './sequence-table.ts';

/** All that it reads: an event that waits is beside it, and its resource is none of these. */
export const PROGRESS_ATTRIBUTES: readonly string[] = [
  sequencesTable.partitionKey,
  sequencesTable.sortKey,
  ...Object.keys(sequenceProgressSchema.shape),
  FORMAT_VERSION,
];

/** Reads how far payments are, one call each. @throws when what is stored cannot be read */
export function progressReader(client: DynamoDBClient, table: string): ReadProgress {
  return async (payment) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: marshalled(sequenceAddress(payment)),
        ProjectionExpression: PROGRESS_ATTRIBUTES.map((_, index) => `#a${index}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(
          PROGRESS_ATTRIBUTES.map((name, index) => [`#a${index}`, name]),
        ),
      }),
    );
    const progress = Item && read(unmarshall(Item), sequenceProgressSchema, sequencesTable.partitionKey);
    if (progress instanceof Error) {
      throw progress;
    }
    return progress;
  };
}
