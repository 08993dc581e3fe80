import { randomUUID } from 'node:crypto';
import { paymentEvent } from '../support/builders.ts';
import {
  type DeployedStack,
  deployedStack,
  type TestReceiver,
  testReceiver,
} from '../support/deployed-stack.ts';
import { eventually } from '../support/eventually.ts';

let stack: DeployedStack;
let receiver: TestReceiver;

beforeAll(async () => {
  stack = await deployedStack();
  receiver = await testReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  stack?.close();
});

test.each([
  ['without a payment id', { payment_id: undefined }, 'malformed', 'payment_id'],
  ['with null for a payment id', { payment_id: null }, 'malformed', 'payment_id'],
  ['with an object for a payment id', { payment_id: { id: 'pay-1' } }, 'malformed', 'payment_id'],
  ['with an empty list for a payment id', { payment_id: [] }, 'malformed', 'payment_id'],
  ['with a list for a payment id', { payment_id: ['pay-1'] }, 'malformed', 'payment_id'],
  ['with a number for a payment id', { payment_id: 42 }, 'malformed', 'payment_id'],
  ['with true for a payment id', { payment_id: true }, 'malformed', 'payment_id'],
  ['with an empty payment id', { payment_id: '' }, 'malformed', 'payment_id'],
  ['with a payment id that ends like no other', { payment_id: 'pay-ö' }, 'malformed', 'payment_id'],
  ['of an unknown type', { event_type: 'SNEEZED' }, 'unknown_type', 'SNEEZED'],
  ['with an impossible time', { occurred_at: 'yesterday' }, 'malformed', 'occurred_at'],
  ['without a resource', { resource: undefined }, 'malformed', 'resource'],
])('an event %s lies in the dead letters with its reason', async (_, over, reason, explanation) => {
  const event_id = `evt-${randomUUID()}`;
  await stack.publish(paymentEvent({ event_id, ...over }));
  const [letter] = await eventually(`${event_id} among the dead letters`, async () => {
    const letters = await stack.takeDeadLetters(stack.outputs.queues.eventsDeadLetters, (body) =>
      body.includes(event_id),
    );
    return letters.length > 0 && letters;
  });
  expect(letter?.reason).toBe(reason);
  expect(letter?.explanation).toContain(explanation);
  expect(JSON.parse(letter?.body ?? '')).toMatchObject({ event_id });
});

test('a malformed event does not hold up the events of its payment', async () => {
  const service = await stack.newService();
  const { id } = await service.subscribe(await receiver.endpoint(service.serviceId));
  const of = (event_id: string, over = {}) =>
    paymentEvent({
      event_id: `${event_id}-${service.serviceId}`.slice(0, 64),
      service_id: service.serviceId,
      occurred_at: new Date().toISOString(),
      ...over,
    });
  await stack.publish(of('1'), of('2', { event_type: 'SNEEZED' }), of('3'));
  const messages = await service.messages(id, (all) => all.length === 2);
  expect(messages.map(({ event_id }) => event_id[0])).toEqual(['3', '1']);
});

test('a record that is no message is buried by deliver with its reason, and its group goes on', async () => {
  const { SendMessageCommand } = await import('@aws-sdk/client-sqs');
  const nonsense = JSON.stringify({ v: 1, nonsense: randomUUID() });
  await stack.sqs.send(
    new SendMessageCommand({
      QueueUrl: stack.outputs.queues.deliveries,
      MessageBody: nonsense,
      MessageGroupId: 'nonsense',
      MessageDeduplicationId: randomUUID(),
    }),
  );
  const [letter] = await eventually('the record among the dead letters', async () => {
    const letters = await stack.takeDeadLetters(
      stack.outputs.queues.deliveriesDeadLetters,
      (body) => body === nonsense,
    );
    return letters.length > 0 && letters;
  });
  expect(letter).toMatchObject({
    reason: 'unreadable',
    explanation: expect.stringContaining('message_id: '),
  });
});
