import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { positionSchema } from '../../../core/api/cursor.ts';
import type { MessageHistory, MessagesOf, Page, PageWanted } from '../../../core/message/message-history.ts';
import { messageSummarySchema } from '../../../core/message/message-view.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Item } from '../marshalled.ts';
import { historyTable } from '../table-keys.ts';

/** How many messages are examined for a page: about half a megabyte, some hundredths of a second. */
const MAX_EXAMINED = 1_000;

/**
 * How many messages of other services with the same payment id are skipped for a page: two seconds' worth.
 */
const MAX_PASSED_OVER = 100_000;

/** Reads pages of the indexes by subscription and by payment. */
export function historyPages(client: DynamoDBClient, table: string): MessageHistory['page'] {
  async function look(of: MessagesOf, wanted: PageWanted, start: QueryCommandInput['ExclusiveStartKey']) {
    const { index, partition, equal } = sourceOf(of, wanted);
    const time = timeOf(wanted);
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: index,
        KeyConditionExpression: ['#partition = :partition', ...time.condition].join(' AND '),
        ...(equal.length === 0
          ? {}
          : { FilterExpression: equal.map(([name]) => `#${name} = :${name}`).join(' AND ') }),
        ExpressionAttributeNames: {
          '#partition': partition.name,
          ...(time.condition.length === 0 ? {} : { '#admitted_at': 'admitted_at' }),
          ...Object.fromEntries(equal.map(([name]) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: marshall({
          ':partition': partition.value,
          ...time.values,
          ...Object.fromEntries(equal.map(([name, value]) => [`:${name}`, value])),
        }),
        ScanIndexForward: false,
        // Reads one more than wanted to see whether there are more: DynamoDB also returns a last key at the
        // very end.
        Limit: equal.length === 0 ? wanted.limit + 1 : MAX_EXAMINED,
        ExclusiveStartKey: start ?? startingAfter(wanted, partition),
      }),
    );
    return { items: Items.map((item) => unmarshall(item)), last: LastEvaluatedKey };
  }

  /**
   * DynamoDB may stop at a message of another service, which no cursor may reveal: a page of a payment
   * continues from a message of the caller's own.
   */
  async function pageOfPayment(of: OfPayment, wanted: PageWanted): Promise<Page> {
    let last: QueryCommandInput['ExclusiveStartKey'];
    for (let skipped = 0; skipped < MAX_PASSED_OVER; skipped += MAX_EXAMINED) {
      const found = await look(of, wanted, last);
      const shown = found.items.filter((item) => isWanted(item, of, wanted));
      last = found.last;
      if (found.items.length > 0 || last === undefined) {
        return pageFrom(shown, wanted, last && found.items.at(-1));
      }
    }
    throw new Error(
      `more than ${MAX_PASSED_OVER} messages of other services have the payment id ${of.paymentId}`,
    );
  }

  return async (of, wanted) => {
    const { after, since } = wanted;
    if (after !== undefined && since !== undefined && after.admitted_at < since) {
      return { messages: [] };
    }
    if (of.paymentId !== undefined) {
      return pageOfPayment(of, wanted);
    }
    const { items, last } = await look(of, wanted, undefined);
    return pageFrom(items, wanted, last && unmarshall(last));
  };
}

type OfPayment = Extract<MessagesOf, { readonly paymentId: string }>;

/** @param last the last key examined, unless the end was reached */
function pageFrom(items: readonly Item[], { limit }: PageWanted, last: Item | undefined): Page {
  const messages = items.slice(0, limit).map((item) => messageSummarySchema.parse(item));
  const next = items.length > limit ? messages.at(-1) : last;
  return {
    messages,
    ...(next && {
      next: positionSchema.parse({ message_id: next.message_id, admitted_at: next.admitted_at }),
    }),
  };
}

function isWanted(item: Item, { subscriptionId }: OfPayment, { state, eventType }: PageWanted): boolean {
  return (
    (subscriptionId ?? item.subscription_id) === item.subscription_id &&
    (state ?? item.state) === item.state &&
    (eventType ?? item.event_type) === item.event_type
  );
}

interface Partition {
  readonly name: 'subscription_id' | 'payment_id';
  readonly value: string;
}

/** The index and partition to read, and the attributes to filter by. */
function sourceOf(of: MessagesOf, { state, eventType: event_type }: PageWanted) {
  if (of.paymentId !== undefined) {
    const partition: Partition = { name: 'payment_id', value: of.paymentId };
    // Payment ids are unique only within a service.
    return { index: historyTable.byPayment, partition, equal: [['service_id', of.serviceId] as const] };
  }
  const partition: Partition = { name: 'subscription_id', value: of.subscriptionId };
  const equal = Object.entries({ state, event_type }).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  return { index: historyTable.bySubscription, partition, equal };
}

/** DynamoDB allows one condition on a sort key, and BETWEEN includes both ends. */
function timeOf({ since, until }: PageWanted) {
  if (since !== undefined && until !== undefined) {
    return {
      condition: ['#admitted_at BETWEEN :since AND :last'],
      values: { ':since': since, ':last': instant(Date.parse(until) - 1) },
    };
  }
  if (since !== undefined) {
    return { condition: ['#admitted_at >= :since'], values: { ':since': since } };
  }
  return until === undefined
    ? { condition: [], values: {} }
    : { condition: ['#admitted_at < :until'], values: { ':until': until } };
}

/**
 * DynamoDB refuses a start key outside the time span; the whole span follows a start key at or after its end.
 */
function startingAfter({ after, until }: PageWanted, { name, value }: Partition) {
  if (after === undefined || (until !== undefined && after.admitted_at >= until)) {
    return undefined;
  }
  const { message_id, admitted_at } = after;
  return marshall({
    [historyTable.partitionKey]: message_id,
    [historyTable.sortKey]: historyTable.messageItem,
    [name]: value,
    admitted_at,
  });
}
