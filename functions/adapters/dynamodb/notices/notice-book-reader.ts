import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type NoticeBook, noticeBookSchema } from '../../../core/notices/notice-book.ts';
import type { NoticeBooks } from '../../../core/notices/ports.ts';
import { read } from '../readable.ts';
import { subscriptionsTable as keys } from '../table-keys.ts';
import { unmarshalled } from '../unmarshalled.ts';

/** Who looks for subscriptions does so by what their items begin with: a book begins with something else. */
export const bookAddress = (subscriptionId: string) => ({
  [keys.partitionKey]: keys.notices,
  [keys.sortKey]: `book#${subscriptionId}`,
});

export function noticeBookReader(client: DynamoDBClient, table: string): NoticeBooks['book'] {
  return async (subscriptionId) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: marshall(bookAddress(subscriptionId)),
        ConsistentRead: true,
      }),
    );
    const book = Item && read(asBook(unmarshalled(Item)), noticeBookSchema, 'subscription_id');
    if (book instanceof Error) {
      throw book;
    }
    return book;
  };
}

/** The name of its service is the name of the partition key, too. */
export function asBook({
  of_service,
  ...item
}: Readonly<Record<string, unknown>>): Partial<NoticeBook> & object {
  return { ...item, service_id: of_service as string };
}
