import { inMemoryHistory } from '../../../../../functions/core/message/message-history.ts';
import { messageRecord, registryOfShop } from '../../../api/builders.ts';
import { clientWorld } from '../client-world.ts';

/** A payment of the service `shop` with this many messages. */
async function worldWith(count: number) {
  const records = Array.from({ length: count }, (_, index) =>
    messageRecord({
      message_id: `msg_${index}`,
      event_id: `evt_${index}`,
      admitted_at: new Date(Date.UTC(2026, 10, 14, 9, 0, index)).toISOString(),
    }),
  );
  return clientWorld({
    subscriptions: await registryOfShop(),
    history: inMemoryHistory(records.map((record) => ({ record, laterAttempts: [] }))),
  });
}

test('a payment is drawn with the descriptions of its subscriptions', async () => {
  const { isWell, output } = await (await worldWith(1)).run('payment', 'pay_1');
  expect(isWell).toBe(true);
  expect(output).toMatch(/^Payment pay_1, all times in UTC\n/);
  expect(output).toMatch(/orders {2}card_payment_captured {2}✓ attempt 1: answered 200 in 12 ms\n/);
  expect(output).toMatch(/orders {2}card_payment_captured {2}✓ delivered {2}msg_0\n/);
});

test('with --json it is the answer of the API, page by page', async () => {
  const world = await worldWith(60);
  const { messages, subscriptions, ...rest } = JSON.parse(
    (await world.run('payment', 'pay_1', '--limit', '100', '--json')).output,
  );
  expect(messages).toHaveLength(60);
  expect(messages[0]).toMatchObject({ message_id: 'msg_59', entries: expect.any(Array) });
  expect(subscriptions).toHaveLength(1);
  expect(rest).toEqual({ payment_id: 'pay_1' });
  expect(world.requests.filter(({ path }) => path === '/v1/payments/pay_1')).toHaveLength(2);
});

test('a payment with more messages says how to see them', async () => {
  const { output } = await (await worldWith(3)).run('payment', 'pay_1', '--limit', '2');
  expect(output).toMatch(/msg_2\n {2}… and more: a greater --limit, or --cursor \S+\n$/);
  expect(output).not.toContain('msg_0');
});

test('a payment that is not known is refused with what to check', async () => {
  await expect((await worldWith(1)).run('payment', 'pay_2')).rejects.toThrow(
    /\(404\): This service has no payment pay_2\.\n {2}request req_1\nIs this its id/,
  );
});
