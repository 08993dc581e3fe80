import { randomUUID } from 'node:crypto';
import { type Message, messageId } from '../../functions/core/message/message.ts';
import { message as messageOf } from '../support/builders.ts';
import { happening } from '../support/deployed/happening.ts';
import { opsOn } from '../support/deployed/ops-on.ts';
import { partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, overtakers } from '../support/network/scripted-partner.ts';

let id: string;

beforeEach(async () => {
  ({ id } = await service.subscribe(partner.url('partner')));
});

const run = (...args: string[]) => opsOn(stack, ...args);
const json = (printed: string) => JSON.parse(printed);

/** The message of a step as match creates it, with new ids, accepted now. */
function stepMessage(payment_id: string, step: number): Message {
  const event_id = `${payment_id}-${step}`;
  return messageOf({
    event_id,
    message_id: messageId({ service_id: service.serviceId, payment_id, event_id, subscription_id: id }),
    service_id: service.serviceId,
    subscription_id: id,
    payment_id,
    resource_id: payment_id,
    admitted_at_ms: Date.now(),
    occurred_at: new Date().toISOString(),
    order_number: String(step).padStart(20, '0'),
    resource: JSON.stringify({ step }),
  });
}

const allAccepted = (count: number) =>
  eventually(`${count} are accepted`, async () => accepted(partner.arrivals()).length >= count);

test('messages that an internal error dead-lettered reach the partner in order, each once', async () => {
  const payments = ['pay-1', 'pay-2', 'pay-3'];
  for (const step of [7, 3, 1, 5, 2, 6, 4]) {
    for (const payment of payments) {
      await stack.put('deliveriesDeadLetters', stepMessage(payment, step), `${id}.${payment}`);
    }
  }
  // One of them is there twice, as after an interrupted run.
  await stack.put('deliveriesDeadLetters', stepMessage('pay-1', 4), `${id}.pay-1`);

  const looked = await run('redrive', 'deliveries', '--unfold');
  expect(looked.isWell).toBe(true);
  expect(looked.printed).toContain('22 would be put back, in this order:');
  expect(looked.printed).toContain('Nothing was changed.');
  expect(await stack.depth(stack.outputs.queues.deliveriesDeadLetters)).toBe(22);
  expect(partner.arrivals()).toEqual([]);

  const { isWell, printed } = await run('redrive', 'deliveries', '--yes', '--json');
  expect({ isWell, ...json(printed) }).toMatchObject({
    isWell: true,
    seen: 22,
    stays: [],
    untaken: [],
    returned: [],
  });
  await allAccepted(21);
  await eventually(
    'the queue is empty',
    async () => (await stack.depth(stack.outputs.queues.deliveries)) === 0,
  );
  expect(overtakers(partner.arrivals())).toEqual([]);
  expect(accepted(partner.arrivals()).sort()).toEqual(
    payments.flatMap((payment) => [1, 2, 3, 4, 5, 6, 7].map((step) => `${payment}/${step}`)),
  );
  expect(await stack.depth(stack.outputs.queues.deliveriesDeadLetters)).toBe(0);
  const messages = await service.messages(id, (all) => all.length === 21);
  expect(new Set(messages.map(({ state }) => state))).toEqual(new Set(['succeeded']));

  expect(await run('redrive', 'deliveries', '--yes')).toEqual({
    isWell: true,
    printed: 'There are no dead letters of deliveries on local: there is nothing to put back.\n',
  });
});

test('a message that was delivered a moment ago is recognised and not sent again', async () => {
  await stack.publish(happening(service, { payment_id: 'pay-1', resource: { step: 1 } }));
  const [delivered] = await service.messages(id, ([first]) => first?.state === 'succeeded');
  const { message_id, event_id } = delivered ?? {};
  await stack.put(
    'deliveriesDeadLetters',
    { ...stepMessage('pay-1', 1), message_id, event_id },
    `${id}.pay-1`,
  );
  await stack.put('deliveriesDeadLetters', stepMessage('pay-1', 2), `${id}.pay-1`);

  expect(await run('redrive', 'deliveries', '--yes')).toMatchObject({ isWell: true });
  await allAccepted(2);
  expect(accepted(partner.arrivals())).toEqual(['pay-1/1', 'pay-1/2']);
});

test('a record that deliver cannot read stays; redriven anyway, it returns at once, and the command says so', async () => {
  const nonsense = JSON.stringify({ v: 1, nonsense: randomUUID() });
  await stack.put('deliveriesDeadLetters', nonsense, 'nonsense', 'unreadable');
  await stack.put('deliveriesDeadLetters', stepMessage('pay-1', 1), `${id}.pay-1`);

  const first = await run('redrive', 'deliveries', '--yes', '--json');
  expect(json(first.printed)).toMatchObject({
    put_back: [{ key: `${id}.pay-1`, reason: '100 tries' }],
    stays: [{ reason: 'unreadable', why: 'unusable' }],
  });
  await allAccepted(1);

  const second = await run('redrive', 'deliveries-dead-letters', '--yes', '--also-unusable');
  expect(second.isWell).toBe(false);
  expect(second.printed).toContain(
    '1 that were put back were dead-lettered again at once: the cause persists.',
  );
  const deadLetters = await eventually('it is given back', async () => {
    const taken = await stack.takeDeadLetters(
      stack.outputs.queues.deliveriesDeadLetters,
      (body) => body === nonsense,
    );
    return taken.length > 0 && taken;
  });
  expect(deadLetters).toHaveLength(1);
});
