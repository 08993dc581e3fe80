import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { blockedKeySchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { InBacklog } from '../../../core/ordering/circuit-timer.ts';
import type { Backlog } from '../../../core/ordering/ports.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { orderingKeysTable } from '../table-keys.ts';
import { moveCheck } from './check-mover.ts';
import { orderingKeyAddress } from './ordering-key-item.ts';

/** Sorts before any instant: an index key must not be empty. */
const FIRST_OF_ALL = '0';

/**
 * Reads the backlog of a subscription. Ordering keys that cannot be read are skipped and passed to
 * `onInternalError`: they must not stop the backlog.
 */
export function backlogReader(
  client: DynamoDBClient,
  table: string,
  onInternalError: (internalError: Error) => void,
): Pick<Backlog, 'backlog' | 'newestOfBacklog' | 'moveCheck'> {
  async function read(
    subscriptionId: string,
    max: number,
    { from = FIRST_OF_ALL, isNewestFirst = false },
  ): Promise<InBacklog[]> {
    const pages = queryPages(client, {
      TableName: table,
      IndexName: orderingKeysTable.backlog,
      KeyConditionExpression: '#backlog_of = :backlog_of AND #backlogged_at >= :from',
      ExpressionAttributeNames: { '#backlog_of': 'backlog_of', '#backlogged_at': 'backlogged_at' },
      ExpressionAttributeValues: marshall({ ':backlog_of': subscriptionId, ':from': from }),
      ScanIndexForward: !isNewestFirst,
      Limit: max,
    });
    const backlog: InBacklog[] = [];
    for await (const items of pages) {
      const keys = readable(items, blockedKeySchema, orderingKeysTable.partitionKey, onInternalError);
      backlog.push(...keys.filter((key) => key.state === 'backlogged'));
      if (backlog.length >= max) {
        break;
      }
    }
    return backlog.slice(0, max);
  }

  return {
    backlog: (subscriptionId, max, from) => read(subscriptionId, max, from === undefined ? {} : { from }),
    newestOfBacklog: (subscriptionId, max) => read(subscriptionId, max, { isNewestFirst: true }),

    moveCheck: ({ ordering_key, check_at }, to, backloggedAt) =>
      moveCheck(client, {
        table,
        address: orderingKeyAddress(ordering_key),
        check: 'check_at',
        from: check_at,
        to,
        backloggedAt,
      }),
  };
}
