import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MessageStore, Outcome } from '../../../core/message/ports.ts';
import { batchPut } from '../table-batch.ts';
import { historyTable } from '../table-keys.ts';
import { historyItemName, historyItems } from './history-items.ts';

/**
 * Writes outcomes that belong to no blocked ordering key, in batches. An outcome that fails keeps no other
 * from being written.
 */
export function historyWriter(
  client: DynamoDBClient,
  table: string,
  retentionDays: number,
): MessageStore['save'] {
  return async (outcomes) => {
    const items = historyItems(outcomes, retentionDays);
    const { partitionKey, sortKey } = historyTable;
    const left = await batchPut(client, table, items, [partitionKey, sortKey]);
    const untakenNames = new Set([...left.untaken].map(historyItemName));
    const refusedNames = new Map([...left.refused].map(([item, error]) => [historyItemName(item), error]));
    const itemNamesOf = (outcome: Outcome) => historyItems([outcome], retentionDays).map(historyItemName);
    const isAllWritten = untakenNames.size + refusedNames.size === 0;
    const names = isAllWritten ? [] : outcomes.map((outcome) => [outcome, itemNamesOf(outcome)] as const);
    return {
      untaken: new Set(
        names.flatMap(([outcome, of]) => (of.some((name) => untakenNames.has(name)) ? [outcome] : [])),
      ),
      refused: new Map(
        names.flatMap(([outcome, of]) => {
          const refusal = of.map((name) => refusedNames.get(name)).find((error) => error !== undefined);
          return refusal === undefined ? [] : [[outcome, refusal.message] as const];
        }),
      ),
      internalErrors: left.internalErrors,
    };
  };
}
