import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  attemptedSchema,
  type EndpointAttempts,
  type EndpointPayment,
  type LastAttempt,
} from '../../../core/trouble/last-attempt.ts';
import { messageIn } from '../history/message-item.ts';
import { paymentReader } from '../history/payment-reader.ts';
import { historyTable } from '../table-keys.ts';

/** How many attempts are examined, by their messages: enough for a share and a p95 to mean something. */
const MAX_ATTEMPTS = 50;
/**
 * The newest messages of a subscription, and those from before and after its trouble began: the first that
 * are probed.
 */
const EXAMINED = { newest: 200, before: 50, after: 200 } as const;

/** Adds what no index carries; the same attempts where the caller may not read that. */
type WithDetails = (attempts: readonly LastAttempt[]) => Promise<readonly LastAttempt[]>;

export function endpointAttempts(
  client: DynamoDBClient,
  table: string,
  withDetails: WithDetails = async (attempts) => attempts,
): EndpointAttempts {
  const messagesOf = paymentReader(client, table, { isDetailed: false });

  /** One page of the index by subscription, of what has been tried. */
  async function tried(subscriptionId: string, { span, newestFirst, max }: Page): Promise<LastAttempt[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: historyTable.bySubscription,
        KeyConditionExpression: [
          '#subscription_id = :subscription_id',
          ...(span === undefined ? [] : [span.condition]),
        ].join(' AND '),
        FilterExpression: 'attribute_exists(#last)',
        ExpressionAttributeNames: {
          '#subscription_id': 'subscription_id',
          '#last': 'last_attempt_at',
          ...(span === undefined ? {} : { '#admitted_at': 'admitted_at' }),
        },
        ExpressionAttributeValues: marshall({
          ':subscription_id': subscriptionId,
          ...(span === undefined ? {} : { ':since': span.since }),
        }),
        ScanIndexForward: !newestFirst,
        Limit: max,
      }),
    );
    return Items.flatMap((item) => attemptedSchema.safeParse(messageIn(unmarshall(item))).data ?? []);
  }

  async function ofPayment({ subscription_id, ...payment }: EndpointPayment): Promise<LastAttempt[]> {
    const messages = (await messagesOf(payment)) ?? [];
    return messages
      .map(({ record }) => record)
      .filter((record) => record.subscription_id === subscription_id)
      .flatMap((record) => attemptedSchema.safeParse(record).data ?? []);
  }

  return {
    /** Recent attempts, the newest first: at most 50, from 450 messages, for some 100 read units. */
    async recent({ service_id, subscription_id }, circuit) {
      const since = circuit?.in_trouble_since ?? circuit?.failing_since;
      const probes = circuit?.state === 'half_open' ? circuit.probes : [];
      const pages = await Promise.all([
        tried(subscription_id, { newestFirst: true, max: EXAMINED.newest }),
        ...(since === undefined
          ? []
          : [
              tried(subscription_id, { newestFirst: true, max: EXAMINED.before, span: admitted('<', since) }),
              tried(subscription_id, {
                newestFirst: false,
                max: EXAMINED.after,
                span: admitted('>=', since),
              }),
            ]),
        ...probes.map((probe) =>
          ofPayment({ service_id, subscription_id, payment_id: probe.slice(subscription_id.length + 1) }),
        ),
      ]);
      const found = new Map(pages.flat().map((attempt) => [attempt.message_id, attempt]));
      return withDetails([...found.values()].sort(newestFirst).slice(0, MAX_ATTEMPTS));
    },

    /** The message of a payment that is tried again and again; undefined when there is none any more. */
    async ofPayment(payment) {
      const waiting = (await ofPayment(payment)).filter(({ state }) => state === 'retrying');
      return (await withDetails(waiting.slice(0, 1)))[0];
    },
  };
}

interface Page {
  readonly span?: { readonly condition: string; readonly since: string };
  readonly newestFirst: boolean;
  readonly max: number;
}

function admitted(comparison: '<' | '>=', since: string): NonNullable<Page['span']> {
  return { condition: `#admitted_at ${comparison} :since`, since };
}

function newestFirst(one: LastAttempt, other: LastAttempt): number {
  return other.last_attempt_at.localeCompare(one.last_attempt_at);
}
