import { isPing } from '../../../../functions/core/catalogue/ping-names.ts';
import {
  againUntil,
  LISTED_WITHIN_MS,
  readDownTo,
  unsettled,
} from '../../../../functions/core/message/follow.ts';
import { messageSchema, webhookBody } from '../../../../functions/core/message/message.ts';
import { messageView } from '../../../../functions/core/message/message-view.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { PING_BYTES, pingOf } from '../../../../functions/core/message/ping.ts';
import { positionOf } from '../../../../functions/core/sequence/order-number.ts';
import { LEAST_VISIBILITY_FACTOR, WORKER_SECONDS } from '../../../../lib/worker-times.ts';
import { message, subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { record } from '../../adapters/dynamodb/blocked-ordering-keys.ts';

describe('ping', () => {
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
});

describe('follow', () => {
  const at = (minutes: number, ms = 0) => new Date(Date.UTC(2026, 0, 1, 12, minutes, 0, ms)).toISOString();
  const ended = (minutes: number) => ({ admitted_at: at(minutes), ended_at: at(minutes) });
  const open = (minutes: number) => ({ admitted_at: at(minutes), ended_at: undefined });

  test('a message is listed within the time that the records of a dead worker and the batches before them take', () => {
    const { deliver } = WORKER_SECONDS;
    expect(LISTED_WITHIN_MS).toBeGreaterThanOrEqual((LEAST_VISIBILITY_FACTOR + 3) * deliver * 1_000);
  });

  test('unsettled is what has not ended, and what others may come between', () => {
    const known = [ended(59), ended(50), ended(49), ended(48), open(3)];
    expect(unsettled(known)).toEqual([ended(59), ended(50), ended(49), open(3)]);
  });

  test('it is read again in turn, from the newest down, and then anew', () => {
    const known = [ended(59), ended(55), ended(40), open(30), ended(20), open(10)];
    expect(againUntil(known, at(57), undefined)).toBe(at(55, 1));
    expect(againUntil(known, at(57), at(54))).toBe(at(30, 1));
    expect(againUntil(known, at(57), at(30))).toBe(at(30, 1));
    expect(againUntil(known, at(57), at(29))).toBe(at(10, 1));
    expect(againUntil(known, at(57), at(9))).toBe(at(55, 1));
    expect(againUntil([ended(59), ended(40)], at(57), undefined)).toBeUndefined();
  });

  test('a page reaches down to its oldest message, and always further than before', () => {
    const page = (minutes: readonly number[]) => ({ messages: minutes.map(ended), next_cursor: 'more' });
    expect(readDownTo(page([9, 8, 7]), at(9, 1))).toBe(at(7));
    expect(readDownTo(page([9, 9]), at(9, 1))).toBe(at(8, 59_999));
    expect(readDownTo({ messages: [ended(9)] }, at(9, 1))).toBeUndefined();
  });

  const numbered = { sequence: 7, position: 3, previous_message_id: 'msg_before' };

  test('a webhook of a numbered event says where it stands, before its resource', () => {
    expect(Object.keys(JSON.parse(webhookBody(message(numbered), '{}')))).toEqual([
      'webhook_message_id',
      'api_version',
      'created_date',
      'resource_id',
      'resource_type',
      'event_type',
      'payment_id',
      'sequence',
      'position',
      'previous_message_id',
      'resource',
    ]);
  });

  test('the first of a subscription says that there is none before it', () => {
    const first = message({ sequence: 7, position: 1 });
    expect(JSON.parse(webhookBody(first, '{}'))).toMatchObject({ position: 1, previous_message_id: null });
  });

  test('one behind a gap and one that came late say so', () => {
    expect(JSON.parse(webhookBody(message({ ...numbered, gap_before: true }), '{}')).gap_before).toBe(true);
    expect(JSON.parse(webhookBody(message({ ...numbered, came_late: true }), '{}')).late).toBe(true);
  });

  test('the record of a message repeats it, and so makes the same body', () => {
    const early = message({ ...numbered, came_late: true, arrived_at_ms: Date.UTC(2026, 10, 14, 9) });
    const record = recordOf(early);
    expect(record).toMatchObject({ ...numbered, came_late: true, arrived_at: '2026-11-14T09:00:00.000Z' });
    expect(webhookBody(record, '{}')).toBe(webhookBody(early, '{}'));
  });

  test('a partner sees it in the view of a message', () => {
    const record = {
      ...recordOf(message({ ...numbered, came_late: true })),
      state: 'succeeded',
      attempt_count: 0,
    } as const;
    expect(messageView(record, [], undefined)).toMatchObject({ ...numbered, late: true });
  });

  test('those that continued together wait right behind the one that let them continue, in the order of their ranks', () => {
    const orderNumbers = ['199', '200', '200.0001', '200.0002', '200.0010', '201', '1000'];
    const positions = orderNumbers.map((order_number) => positionOf({ order_number }));
    expect([...positions].sort()).toEqual(positions);
  });

  const ERASED = { body_erased_at: '2026-11-14T10:00:00.000Z' };
  const { resource: _, ...withoutBody } = record(1);

  test('an erased body is gone, and since when is told', () => {
    expect(messageView({ ...withoutBody, ...ERASED }, [], undefined)).toMatchObject(ERASED);
    for (const resource of [undefined, '', '{"amount":1}']) {
      expect(messageView({ ...withoutBody, ...ERASED }, [], resource)).not.toHaveProperty('body');
    }
  });

  test('a message whose worker died says that an attempt may be missing, also if no further one was made', () => {
    const cancelled = { ...withoutBody, state: 'cancelled', state_reason: 'deleted' } as const;
    expect(messageView({ ...cancelled, earlier_may_be_missing: true }, [], '')).toMatchObject({
      earlier_may_be_missing: true,
      attempts: [],
    });
  });

  test('an erased resource is no body', () => {
    expect(messageView(withoutBody, [], '')).not.toHaveProperty('body');
  });
});
