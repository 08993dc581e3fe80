import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Circuit } from '../../../core/circuit/circuit.ts';
import {
  attemptedSchema,
  type EndpointAttempts,
  type LastAttempt,
} from '../../../core/trouble/last-attempt.ts';
import { historyTable } from '../table-keys.ts';

/** How many attempts are examined, by their messages: enough for a share and a p95 to mean something. */
const MAX_ATTEMPTS = 50;
/**
 * The newest messages of a subscription, and those from before and after its trouble began: the first that
 * are probed.
 */
const EXAMINED = { newest: 200, before: 50, after: 200 } as const;
/** All messages of a payment, of one subscription or of several. */
const MAX_OF_A_PAYMENT = 100;

/** Adds what no index carries; the same attempts where the caller may not read that. */
type WithDetails = (attempts: readonly LastAttempt[]) => Promise<readonly LastAttempt[]>;

export function endpointAttempts(
  client: DynamoDBClient,
  table: string,
  withDetails: WithDetails = async (attempts) => attempts,
): EndpointAttempts {
  /** One page of an index by `admitted_at`, of what has been tried. */
  async function tried(
    partition: { readonly index: string; readonly name: string; readonly value: string },
    { span, newestFirst, max }: Page,
    equal: Readonly<Record<string, string>> = {},
  ): Promise<LastAttempt[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: partition.index,
        KeyConditionExpression: [
          '#partition = :partition',
          ...(span === undefined ? [] : [span.condition]),
        ].join(' AND '),
        FilterExpression: [
          'attribute_exists(#last)',
          ...Object.keys(equal).map((name) => `#${name} = :${name}`),
        ].join(' AND '),
        ExpressionAttributeNames: {
          '#partition': partition.name,
          '#last': 'last_attempt_at',
          ...(span === undefined ? {} : { '#admitted_at': 'admitted_at' }),
          ...Object.fromEntries(Object.keys(equal).map((name) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: marshall({
          ':partition': partition.value,
          ...(span === undefined ? {} : { ':since': span.since }),
          ...Object.fromEntries(Object.entries(equal).map(([name, value]) => [`:${name}`, value])),
        }),
        ScanIndexForward: !newestFirst,
        Limit: max,
      }),
    );
    return Items.flatMap((item) => attemptedSchema.safeParse(unmarshall(item)).data ?? []);
  }

  async function ofPayment(subscription_id: string, payment_id: string): Promise<LastAttempt[]> {
    const partition = { index: historyTable.byPayment, name: 'payment_id', value: payment_id };
    return tried(partition, { newestFirst: false, max: MAX_OF_A_PAYMENT }, { subscription_id });
  }

  return {
    /** Recent attempts, the newest first: at most 50, from 450 messages, for some 100 read units. */
    async recent(subscriptionId: string, circuit: Circuit | undefined): Promise<readonly LastAttempt[]> {
      const partition = {
        index: historyTable.bySubscription,
        name: 'subscription_id',
        value: subscriptionId,
      };
      const since = circuit?.in_trouble_since ?? circuit?.failing_since;
      const probes = circuit?.state === 'half_open' ? circuit.probes : [];
      const pages = await Promise.all([
        tried(partition, { newestFirst: true, max: EXAMINED.newest }),
        ...(since === undefined
          ? []
          : [
              tried(partition, { newestFirst: true, max: EXAMINED.before, span: admitted('<', since) }),
              tried(partition, { newestFirst: false, max: EXAMINED.after, span: admitted('>=', since) }),
            ]),
        ...probes.map((probe) => ofPayment(subscriptionId, probe.slice(subscriptionId.length + 1))),
      ]);
      const found = new Map(pages.flat().map((attempt) => [attempt.message_id, attempt]));
      return withDetails([...found.values()].sort(newestFirst).slice(0, MAX_ATTEMPTS));
    },

    /** The message of a payment that is tried again and again; undefined when there is none any more. */
    async ofPayment({
      subscription_id,
      payment_id,
    }: Pick<LastAttempt, 'payment_id'> & { readonly subscription_id: string }) {
      const waiting = (await ofPayment(subscription_id, payment_id)).filter(
        ({ state }) => state === 'retrying',
      );
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
