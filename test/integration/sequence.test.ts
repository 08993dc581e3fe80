import { chunks } from '../../functions/adapters/dynamodb/chunks.ts';
import { STAGES } from '../../payhooks.config.ts';
import type { Service } from '../support/deployed/deployed-stack.ts';
import { happening as happeningOf } from '../support/deployed/happening.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { Dice } from '../support/dice.ts';
import { eventually } from '../support/eventually.ts';
import { type BodyEndpoint, bodyEndpoint } from '../support/network/webhook-bodies.ts';

let endpoint: BodyEndpoint;
let service: Service;

/** An event of the shared service with a number. Its resource has one that no item can hold as a number. */
function numbered(payment_id: string, sequence: number, over: Record<string, unknown> = {}) {
  return happeningOf(service, { payment_id, sequence, resource: { sequence, reference: 2 ** 64 }, ...over });
}

async function allOf(paymentId: string, count: number) {
  return eventually(`${count} webhooks of ${paymentId}`, async () => {
    const found = endpoint.of(paymentId);
    return found.length >= count && found;
  });
}

beforeAll(async () => {
  endpoint = await bodyEndpoint();
  service = await stack.newService();
  await service.subscribe(endpoint.url);
  // Numbers 1 and 3: what waits for the missing one does so while the first test runs.
  await stack.publish(numbered('pay-gap', 1), numbered('pay-gap', 3), numbered('pay-gap', 4));
});
afterAll(() => endpoint?.stop());

/** The webhooks of a payment with four events, each in its own position. */
async function allInTurn(payment: string) {
  const webhooks = await allOf(payment, 4);
  expect(webhooks.map(({ sequence, position }) => [sequence, position])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
  return webhooks;
}

test('the numbered events of 50 payments, put in any order, reach the partner in sequence', async () => {
  const payments = Array.from({ length: 50 }, (_, index) => `pay-mixed-${index}`);
  const dice = new Dice(42);
  // Ten payments at a time: on a busy machine, hundreds of calls may take longer than the gap.
  for (const some of chunks(payments, 10)) {
    const puts = some
      .flatMap((payment) => [1, 2, 3, 4].map((sequence) => numbered(payment, sequence)))
      .map((event) => ({ event, at: dice.whole(0, 1_000_000) }))
      .sort((one, other) => one.at - other.at);
    await Promise.all(puts.map(({ event }) => stack.publish(event)));
  }

  for (const payment of payments) {
    const webhooks = await allInTurn(payment);
    expect(webhooks.map(({ previous_message_id }) => previous_message_id)).toEqual([
      null,
      ...webhooks.slice(0, 3).map(({ webhook_message_id }) => webhook_message_id),
    ]);
  }
});

test('an event whose predecessor never comes continues after the gap, and a straggler is late', async () => {
  const [first, third, fourth] = await allOf('pay-gap', 3);
  expect(first).not.toHaveProperty('gap_before');
  expect(third).toMatchObject({ sequence: 3, position: 2, gap_before: true });
  expect(fourth).toMatchObject({ sequence: 4, position: 3 });
  expect(fourth).not.toHaveProperty('gap_before');

  await stack.publish(numbered('pay-gap', 2));
  const [, , , straggler] = await allOf('pay-gap', 4);
  expect(straggler).toMatchObject({ sequence: 2, position: 4, late: true });

  const message = await service.message(third?.webhook_message_id ?? '');
  expect(message).toMatchObject({ sequence: 3, position: 2, gap_before: true });
  const { arrived_at = '', admitted_at } = message;
  expect(Date.parse(admitted_at) - Date.parse(arrived_at)).toBeGreaterThanOrEqual(
    STAGES.local.deliveryPolicy.sequenceGapMs,
  );
  expect(await service.message(straggler?.webhook_message_id ?? '')).toMatchObject({ late: true });
});

test('events that come by the bus and by the queue at the same moment are in sequence, each in its own position', async () => {
  const payments = Array.from({ length: 20 }, (_, index) => `pay-doors-${index}`);
  const put = (payment: string, sequence: number, isByQueue: boolean) =>
    isByQueue
      ? stack.put('events', numbered(payment, sequence), payment)
      : stack.publish(numbered(payment, sequence));
  await Promise.all(
    payments.flatMap((payment, index) =>
      [1, 2, 3, 4].map((sequence) => put(payment, sequence, (index + sequence) % 2 === 0)),
    ),
  );
  for (const payment of payments) {
    await allInTurn(payment);
  }
});
