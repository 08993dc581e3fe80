import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DeliverPorts } from '../deliver/ports.ts';
import { historyItems } from './history-items.ts';
import { batchPut } from './table-batch.ts';

/** Writes outcomes in batches, apart from any key. */
export function historyWriter(
  client: DynamoDBClient,
  table: string,
  retentionDays: number,
): DeliverPorts['save'] {
  return (outcomes) => batchPut(client, table, historyItems(outcomes, retentionDays));
}
