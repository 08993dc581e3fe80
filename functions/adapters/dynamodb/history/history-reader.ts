import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { attemptSchema } from '../../../core/attempt/attempt.ts';
import { messageRecordSchema } from '../../../core/message/history.ts';
import type { MessageHistory } from '../../../core/message/message-history.ts';
import type { Item } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { historyTable, messageAddress, resourceAddress } from '../table-keys.ts';
import { unmarshalled } from '../unmarshalled.ts';
import { historyPages } from './history-pages.ts';
import { messageIn } from './message-item.ts';
import { paymentReader } from './payment-reader.ts';
import { resourceIn } from './stored-resource.ts';

export function historyReader(client: DynamoDBClient, table: string): MessageHistory {
  return {
    page: historyPages(client, table),
    payment: paymentReader(client, table),

    async find(messageId) {
      const { partitionKey, sortKey } = historyTable;
      const { [partitionKey]: payment, [sortKey]: item } = messageAddress(messageId);
      const pages = queryPages(client, {
        TableName: table,
        KeyConditionExpression: '#payment = :payment AND begins_with(#item, :item)',
        ExpressionAttributeNames: { '#payment': partitionKey, '#item': sortKey },
        ExpressionAttributeValues: marshall({ ':payment': payment, ':item': item }),
      });
      const items: Item[] = [];
      for await (const page of pages) items.push(...page);
      // Its attempts follow.
      const [message, ...attempts] = items;
      return message !== undefined && message[sortKey] === item
        ? {
            record: messageRecordSchema.parse(messageIn(message)),
            laterAttempts: attempts.map((one) => attemptSchema.parse(one)),
          }
        : undefined;
    },

    async resource(of) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: marshall(resourceAddress(of)) }),
      );
      return Item === undefined ? undefined : resourceIn(unmarshalled(Item));
    },
  };
}
