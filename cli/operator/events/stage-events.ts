import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { historyPages } from '../../../functions/adapters/dynamodb/history/history-pages.ts';
import type { Wanting } from '../../../functions/adapters/dynamodb/subscriptions/wanted-types.ts';

/** This many messages of each subscription are read at most, newest first. */
export const MAX_READ = 1_000;
const PAGE = 100;

/**
 * How many messages of each event type these subscriptions got since an instant.
 *
 * @returns also the subscriptions that got more than were read
 */
export async function messagesByType(
  dynamodb: DynamoDBClient,
  historyTable: string,
  all: readonly Wanting[],
  since: string,
): Promise<{ readonly messages: ReadonlyMap<string, number>; readonly cut: readonly string[] }> {
  const page = historyPages(dynamodb, historyTable);
  const messages = new Map<string, number>();
  const cut: string[] = [];
  for (const { subscription_id } of all) {
    let read = 0;
    let after: Awaited<ReturnType<typeof page>>['next'];
    do {
      const { messages: found, next } = await page(subscription_id, {
        limit: PAGE,
        since,
        ...(after === undefined ? {} : { after }),
      });
      for (const { event_type } of found) {
        messages.set(event_type, (messages.get(event_type) ?? 0) + 1);
      }
      read += found.length;
      after = next;
    } while (after !== undefined && read < MAX_READ);
    if (after !== undefined) {
      cut.push(subscription_id);
    }
  }
  return { messages, cut };
}
