import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { portalSessionTable } from '../../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { deliveryReader } from '../../../../functions/adapters/dynamodb/history/delivery-reader.ts';
import { recoveryTable } from '../../../../functions/adapters/dynamodb/history/recovery-table.ts';
import { orderingKeyReader } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { progressReader } from '../../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { sequenceTable } from '../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { answerReader } from '../../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import { RollCall } from '../../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { routeTable } from '../../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import { subscriptionRegistry } from '../../../../functions/adapters/dynamodb/subscriptions/subscription-registry.ts';
import { inMemorySealing } from '../../../../functions/adapters/kms/sealing.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { type Call, failingTransport } from '../../../support/network/failing-transport.ts';
import { paymentToTest } from '../../../support/promises/payment-to-test.ts';

const now = () => TEN_O_CLOCK_MS;
const { seal, open } = inMemorySealing();
const NAMES = {
  orderingKeys: 'keys',
  history: 'history',
  subscriptions: 'subscriptions',
  signingSecrets: 'secrets',
};
const { name, key, record } = paymentToTest();
const registry = (client: DynamoDBClient) =>
  subscriptionRegistry(client, { tables: NAMES, graceMs: 0, seal, now });

/** Whether each read asks for the latest: a batch does if all its tables do. */
async function consistencyOf(read: (client: DynamoDBClient) => Promise<unknown>): Promise<boolean[]> {
  const { config, calls } = failingTransport(() => ({}));
  await read(new DynamoDBClient(config));
  return calls.map(({ input }: Call) =>
    (Object.values(input.RequestItems ?? { only: input }) as { ConsistentRead?: boolean }[]).every(
      ({ ConsistentRead }) => ConsistentRead === true,
    ),
  );
}

test.each<[string, (client: DynamoDBClient) => Promise<unknown>]>([
  [
    'what a delivery needs',
    (client) =>
      deliveryReader(
        client,
        NAMES,
        open,
        now,
      )({
        ...{ subscriptions: [name], keys: [key.waiting.ordering_key] },
        ...{ messageIds: [record(1).message_id], resources: [{ ...name, event_id: 'evt-1' }] },
      }),
  ],
  ['queued messages', (client) => orderingKeyReader(client, NAMES)(key.waiting.ordering_key)],
  ['routes', (client) => routeTable(client, 'subscriptions')(['bakery'])],
  ['a subscription', (client) => registry(client).find('bakery', 'sub_1')],
  ['the subscriptions of a service', (client) => registry(client).list('bakery')],
  [
    'how far payments are',
    (client) =>
      sequenceTable(client, { table: 'sequences', now, onInternalError: () => {} }).sequencesOf([name]),
  ],
  [
    'a recovery',
    (client) =>
      recoveryTable(client, { table: 'subscriptions', graceMs: 0, retentionDays: 1, now }).find(name),
  ],
  ['the answers of an endpoint', (client) => answerReader(client, 'subscriptions')('sub_1')],
  ['a portal session', (client) => portalSessionTable(client, 'tokens').find('ps_1')],
])('%s: a lagging read would decide wrongly, so it asks for the latest', async (_, read) => {
  const consistent = await consistencyOf(read);
  expect(consistent).not.toEqual([]);
  expect(consistent).not.toContain(false);
});

test.each<[string, (client: DynamoDBClient) => Promise<unknown>]>([
  ['counts of a second', (client) => new RollCall(client, { table: 'subscriptions', now }).heard('#drains')],
  ['a payment’s progress, for people', (client) => progressReader(client, 'sequences')(name)],
])('%s may lag, at half the price', async (_, read) => {
  expect(await consistencyOf(read)).not.toContain(true);
});
