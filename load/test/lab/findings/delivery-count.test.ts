import { messageId } from '../../../../functions/core/message/message.ts';
import type { Receipt } from '../../../../functions/load-lab/receiver/receipt.ts';
import { deliveryCount } from '../../../lab/findings/delivery-count.ts';
import { overloads } from '../../../lab/watch/backpressure.ts';
import { waitUntilDrained } from '../../../lab/watch/drain.ts';

const EVENT = { event_id: 'e1', payment_id: 'p1', service_id: 's', sequence: 1, sent_at_ms: 0 };

/** A partner with two subscriptions whose receivers show these receipts. */
function customerWith(receipts: Record<string, Receipt[]>) {
  return {
    serviceId: 's',
    group: 'all',
    subscriptionIds: ['sub_1', 'sub_2'],
    receipts: async (id: string, after: number) => (receipts[id] ?? []).slice(after),
  };
}

function receipt(number: number, subscription: string, status: number | undefined, event = 'e1'): Receipt {
  return {
    endpoint: subscription,
    number,
    received_at: new Date().toISOString(),
    signature: 'valid',
    webhook_id: messageId({
      service_id: EVENT.service_id,
      payment_id: EVENT.payment_id,
      event_id: event,
      subscription_id: subscription,
    }),
    ...(status === undefined ? {} : { status, answered_at: new Date().toISOString() }),
  };
}

test('an event is accepted when all subscriptions have accepted it', async () => {
  const receipts = { sub_1: [receipt(1, 'sub_1', 200)], sub_2: [] as Receipt[] };
  const accepted: string[] = [];
  const count = deliveryCount([customerWith(receipts)], (ids) => accepted.push(...ids));
  count.sent([EVENT]);
  await count.poll();
  expect([count.expected.length, count.accepted(), accepted]).toEqual([2, 1, []]);
  receipts.sub_2.push(receipt(1, 'sub_2', 500), receipt(2, 'sub_2', 200));
  await count.poll();
  expect([count.accepted(), count.waiting(), accepted]).toEqual([2, [], ['e1']]);
});

test('a message accepted before the generator reports it counts', async () => {
  const receipts = { sub_1: [receipt(1, 'sub_1', 200)], sub_2: [receipt(1, 'sub_2', 200)] };
  const accepted: string[] = [];
  const count = deliveryCount([customerWith(receipts)], (ids) => accepted.push(...ids));
  await count.poll();
  count.sent([EVENT]);
  expect([count.accepted(), accepted]).toEqual([2, ['e1']]);
});

test('an answer that arrives after later ones is seen', async () => {
  const late = receipt(1, 'sub_1', undefined);
  const receipts = { sub_1: [late, receipt(2, 'sub_1', 200, 'e2')] };
  const count = deliveryCount([customerWith(receipts)]);
  count.sent([EVENT]);
  await count.poll();
  expect(count.accepted()).toBe(0);
  late.status = 200;
  await count.poll();
  expect(count.accepted()).toBe(1);
});

const PATIENT = { endedAmongWaiting: async () => 0, pauseMs: 1, signal: new AbortController().signal };

test('waiting ends when no message waits', async () => {
  let left = 3;
  expect(await waitUntilDrained({ ...PATIENT, waiting: () => left--, patienceMs: 60_000 })).toBe(true);
});

test('waiting gives up when nothing changes', async () => {
  expect(await waitUntilDrained({ ...PATIENT, waiting: () => 1, patienceMs: 10 })).toBe(false);
});

test('an interruption ends the wait', async () => {
  const person = new AbortController();
  const draining = waitUntilDrained({
    ...PATIENT,
    waiting: () => 1,
    patienceMs: 60_000,
    signal: person.signal,
  });
  person.abort(new Error('Ctrl-C'));
  await expect(draining).rejects.toThrow('Ctrl-C');
});

function told(type: string, at: string, subscription_id = 'sub_1'): string {
  return JSON.stringify({ source: 'payhooks', detail: { v: 1, id: 'op_1', type, at, subscription_id } });
}

test('a subscription is overloaded until its latest event says otherwise, in any order of events', () => {
  const { add, isOverloaded } = overloads();
  const own = new Set(['sub_1']);
  add(told('messages.waiting', '2026-11-14T10:00:05.000Z'));
  expect(isOverloaded(own)).toBe(true);
  add(told('messages.waiting.eased', '2026-11-14T10:00:09.000Z'));
  add(told('messages.waiting', '2026-11-14T10:00:05.000Z'));
  expect(isOverloaded(own)).toBe(false);
});

test('messages that wait for other subscriptions do not pause sending', () => {
  const { add, isOverloaded } = overloads();
  add(told('messages.waiting', '2026-11-14T10:00:05.000Z', 'sub_9'));
  expect(isOverloaded(new Set(['sub_1']))).toBe(false);
});
