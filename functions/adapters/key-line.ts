import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { pausedKeySchema } from '../core/key-lifecycle.ts';
import type { InLine } from '../core/tick.ts';
import type { WakePorts } from '../wake/ports.ts';
import { moveCheck } from './check-mover.ts';
import { keyAddress } from './key-item.ts';
import { queryPages } from './query-pages.ts';
import { readable } from './readable.ts';
import { keysTable } from './table-keys.ts';

/** The keys in line of a subscription. `onFault` hears of those that cannot be read and are passed over: they must not stop the line. */
export function keyLine(
  client: DynamoDBClient,
  table: string,
  onFault: (fault: Error) => void,
): Pick<WakePorts, 'line' | 'moveCheck'> {
  return {
    async line(subscriptionId, most) {
      const pages = queryPages(client, {
        TableName: table,
        IndexName: keysTable.line,
        KeyConditionExpression: '#line = :line',
        ExpressionAttributeNames: { '#line': 'line' },
        ExpressionAttributeValues: marshall({ ':line': subscriptionId }),
        Limit: most,
      });
      const line: InLine[] = [];
      for await (const items of pages) {
        const keys = readable(items, pausedKeySchema, keysTable.partitionKey, onFault);
        line.push(...keys.filter((key) => key.state === 'in_line'));
        if (line.length >= most) {
          break;
        }
      }
      return line.slice(0, most);
    },

    moveCheck: ({ ordering_key, check_at }, to) =>
      moveCheck(client, { table, address: keyAddress(ordering_key), from: check_at, to }),
  };
}
