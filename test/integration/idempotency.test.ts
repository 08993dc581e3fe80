import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';

const SUBSCRIPTION = {
  callback_url: 'http://127.0.0.1:1/hooks',
  description: 'orders',
  event_types: ['card_payment_*'],
  live: false,
};

function post(path: string, key: string, body?: unknown) {
  return service.call('POST', path, body, { 'idempotency-key': key });
}

/** All stored records, as text. */
async function remembered(): Promise<string> {
  const items = [];
  let next: Record<string, never> | undefined;
  do {
    const page = await stack.dynamodb.send(
      new ScanCommand({
        TableName: stack.outputs.tables.idempotency,
        ...(next === undefined ? {} : { ExclusiveStartKey: next }),
      }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    next = page.LastEvaluatedKey as typeof next;
  } while (next !== undefined);
  return JSON.stringify(items);
}

async function subscriptions(): Promise<unknown[]> {
  return (await service.call('GET', '/subscriptions')).body.subscriptions;
}

test('a subscription registered twice with one key is one; its secret is in the first answer, and in no idempotency record', async () => {
  const key = randomUUID();

  const first = await post('/subscriptions', key, SUBSCRIPTION);
  const second = await post('/subscriptions', key, SUBSCRIPTION);

  const { signing_secret, ...lasting } = first.body;
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(signing_secret).toMatch(/^whsec_/);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect(second.body).toEqual(lasting);
  expect(await subscriptions()).toHaveLength(1);
  const items = await remembered();
  expect(items).toContain(lasting.subscription_id);
  expect(items).not.toMatch(/whsec_|whsk_/);
  expect(items).not.toContain(signing_secret.slice('whsec_'.length));
});
