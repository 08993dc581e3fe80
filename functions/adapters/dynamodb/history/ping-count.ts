import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PING_PERIOD_SECONDS } from '../../../core/message/ping.ts';
import type { CountPing } from '../../../core/message/ports.ts';
import { RollCall } from '../subscriptions/period-count.ts';
import { pingsOf } from '../table-keys.ts';

/** Counts the test pings of the current minute, in the subscriptions table. */
export function pingCount(
  client: DynamoDBClient,
  options: { readonly table: string; readonly now: () => number },
): CountPing {
  const rollCall = new RollCall(client, { ...options, periodSeconds: PING_PERIOD_SECONDS });
  return async ({ service_id, subscription_id }) => {
    const [ofService, ofSubscription] = await Promise.all([
      rollCall.say(pingsOf(service_id), 1),
      rollCall.say(pingsOf(subscription_id), 1),
    ]);
    return { ofService, ofSubscription };
  };
}
