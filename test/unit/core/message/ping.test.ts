import { isPing } from '../../../../functions/core/catalogue/ping-names.ts';
import { messageSchema, webhookBody } from '../../../../functions/core/message/message.ts';
import { PING_BYTES, pingOf } from '../../../../functions/core/message/ping.ts';
import { message, subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const zeros = new Uint8Array(PING_BYTES);
const ping = (over = {}, bytes = zeros) => pingOf(subscription(over), bytes, TEN_O_CLOCK_MS);

test('a ping is a message like any other, about nothing but itself', () => {
  expect(messageSchema.parse(ping({ live: true }))).toEqual({
    v: 1,
    ping: true,
    message_id: expect.stringMatching(/^msg_[\w-]{40}$/),
    event_id: 'ping-AAAAAAAAAAAAAAAAAAAAAA',
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'ping-AAAAAAAAAAAAAAAAAAAAAA',
    event_type: 'ping',
    resource_type: 'ping',
    resource_id: 'ping-AAAAAAAAAAAAAAAAAAAAAA',
    live: true,
    admitted_at_ms: TEN_O_CLOCK_MS,
    occurred_at: '2026-11-14T10:00:00.000Z',
    order_number: '00000000000000000000',
    resource: expect.any(String),
  });
});

test('what is posted has the members of every webhook', () => {
  const sent = ping();
  expect(Object.keys(JSON.parse(webhookBody(sent, sent.resource ?? '')))).toEqual(
    Object.keys(JSON.parse(webhookBody(message(), '{}'))),
  );
  expect(JSON.parse(sent.resource ?? '')).toEqual({ message: expect.stringContaining('test') });
});

test('each ping has an id of its own, and a form in which payments have theirs', () => {
  const other = ping({}, new Uint8Array(PING_BYTES).fill(255));
  expect(other.message_id).not.toBe(ping().message_id);
  expect(other.payment_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test('a sample is marked in each member that names a payment, and carries what the catalogue says', () => {
  const type = { name: 'invoice.paid', sample: { invoice: 'sample', total: 10.5 } };
  const sample = pingOf(subscription(), zeros, TEN_O_CLOCK_MS, type);
  const name = 'sample-AAAAAAAAAAAAAAAAAAAAAA';
  expect(messageSchema.parse(sample)).toMatchObject({
    ping: true,
    event_type: 'sample.invoice.paid',
    resource_type: 'sample',
    event_id: name,
    payment_id: name,
    resource_id: name,
    resource: '{"invoice":"sample","total":10.5}',
  });
  expect(isPing(sample)).toBe(true);
});

test('a sample of a type that has none says that it is a test', () => {
  const sample = pingOf(subscription(), zeros, TEN_O_CLOCK_MS, { name: 'invoice.paid' });
  expect(JSON.parse(sample.resource ?? '')).toEqual({ message: expect.stringContaining('test') });
});

test('no message of an event is taken for one', () => {
  expect([isPing(ping()), isPing(message())]).toEqual([true, false]);
});
