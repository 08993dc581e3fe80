import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { InBacklog } from '../../../core/circuit/circuit-timer.ts';
import { blockedKeySchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { WakePorts } from '../../../pipeline/wake/ports.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { orderingKeysTable } from '../table-keys.ts';
import { moveCheck } from './check-mover.ts';
import { orderingKeyAddress } from './ordering-key-item.ts';

/** Before any instant: a value of an index may not be empty. */
const FIRST_OF_ALL = '0';

/** The keys in line of a subscription. `onFault` hears of those that cannot be read and are passed over: they must not stop the line. */
export function backlogReader(
  client: DynamoDBClient,
  table: string,
  onInternalError: (internalError: Error) => void,
): Pick<WakePorts, 'backlog' | 'moveCheck'> {
  return {
    async backlog(subscriptionId, max, from = FIRST_OF_ALL) {
      const pages = queryPages(client, {
        TableName: table,
        IndexName: orderingKeysTable.line,
        KeyConditionExpression: '#line = :line AND #parked_at >= :from',
        ExpressionAttributeNames: { '#line': 'line', '#parked_at': 'parked_at' },
        ExpressionAttributeValues: marshall({ ':line': subscriptionId, ':from': from }),
        Limit: max,
      });
      const line: InBacklog[] = [];
      for await (const items of pages) {
        const keys = readable(items, blockedKeySchema, orderingKeysTable.partitionKey, onInternalError);
        line.push(...keys.filter((key) => key.state === 'in_line'));
        if (line.length >= max) {
          break;
        }
      }
      return line.slice(0, max);
    },

    moveCheck: ({ ordering_key, check_at }, to) =>
      moveCheck(client, {
        table,
        address: orderingKeyAddress(ordering_key),
        check: 'check_at',
        from: check_at,
        to,
      }),
  };
}
