import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { PING_BYTES, pingOf } from '../../../../../functions/core/message/ping.ts';
import { resendSignal } from '../../../../../functions/core/signal/signal.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import type { Delivery } from '../../../../../functions/pipeline/deliver/ports.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { halted, inviting, open } from '../../../core/circuit/given/circuits.ts';
import { asReceived, BUSY, event, knownRecord, OK, world } from '../world.ts';

const GONE: AttemptResult = { ...BUSY, status_code: 410 };

/** The record of a ping of sub_1; each number has one of its own. */
function ping(number = 1, receiveCount = 1): Delivery {
  const message = pingOf(subscription(), new Uint8Array(PING_BYTES).fill(number), TEN_O_CLOCK_MS);
  return { ...asReceived(`record of ping ${number}`, message), receiveCount, message };
}

function health(over: Partial<Subscription>, answer: AttemptResult = OK) {
  const made = world({ subscriptions: [subscription(over)], answer: () => answer });
  return { ...made, pinged: (record = ping()) => made.records.get(record.message.message_id) };
}

test('a ping is signed and posted as any webhook, and its attempt is on record', async () => {
  const { run, posts, pinged } = health({});
  expect(await run(ping())).toEqual([]);
  expect(posts).toMatchObject([
    { url: 'https://bakery.example/webhooks', live: false, headers: { 'webhook-attempt': '1' } },
  ]);
  expect(posts[0]?.headers).toHaveProperty('webhook-signature');
  expect(pinged()).toMatchObject({
    state: 'succeeded',
    event_type: 'ping',
    attempt_count: 1,
    first_attempt: { status_code: 200 },
  });
});

test.each<[string, Partial<Subscription>]>([
  ['whose circuit is open', { circuit: open() }],
  ['whose circuit waits for a probe', { circuit: inviting() }],
  ['that is paused', { state: 'paused', circuit: halted() }],
  ['that was disabled', { state: 'disabled', disabled_reason: 'gone', circuit: halted() }],
  [
    'that has been disabled for days',
    { state: 'disabled', disabled_reason: 'gone', disabled_at: '2026-11-10T10:00:00.000Z' },
  ],
  ['with a rate limit', { rate_limit: 1 }],
])('a ping reaches a subscription %s, and leaves it as it was', async (_, over) => {
  const made = health(over);
  const before = made.subscriptions.get('sub_1');
  await made.run(ping());
  expect(made.pinged()).toMatchObject({ state: 'succeeded', attempt_count: 1 });
  expect(made.subscriptions.get('sub_1')).toBe(before);
});

test('a ping that fails is not retried: no blocked ordering key, no timer, no signal and no effect on the circuit, however often', async () => {
  const made = health({}, BUSY);
  const before = made.subscriptions.get('sub_1');
  for (let number = 1; number <= 12; number += 1) {
    await made.run(ping(number));
    expect(made.pinged(ping(number))).toMatchObject({
      state: 'exhausted',
      state_reason: 'schedule',
      attempt_count: 1,
      last_failure_class: 'http_status',
    });
  }
  expect(made.posts).toHaveLength(12);
  expect([made.keys.size, made.armed, made.signals]).toEqual([0, [], []]);
  expect(made.subscriptions.get('sub_1')).toBe(before);
});

test('an answer that would disable the subscription does not when a ping gets it', async () => {
  const made = health({}, GONE);
  await made.run(ping());
  expect(made.pinged()).toMatchObject({ state: 'exhausted', last_status_code: 410 });
  expect(made.subscriptions.get('sub_1')?.state).toBe('active');
});

test('that pings fail keeps no payment of the same batch from being sent', async () => {
  const made = world({ answer: (id) => (id.startsWith('msg_') ? BUSY : OK) });
  expect(await made.run(ping(), event('a1'), event('b1', { payment_id: 'pay-b' }))).toEqual([]);
  expect([made.of('a1')?.state, made.of('b1')?.state]).toEqual(['succeeded', 'succeeded']);
});

test.each(['deleted', 'nobody’s'])('a ping of a subscription that is %s is not sent', async (state) => {
  const made = world({
    subscriptions: state === 'deleted' ? [subscription({ state: 'deleted', circuit: halted() })] : [],
  });
  expect(await made.run(ping())).toEqual([]);
  expect(made.posts).toEqual([]);
  expect(made.records.get(ping().message.message_id)).toMatchObject({
    state: 'cancelled',
    state_reason: 'deleted',
    attempt_count: 0,
  });
});

test('a ping for which there is no time left is received again, and leaves no trace until then', async () => {
  const made = health({});
  const { lookUp } = made.ports;
  made.ports.lookUp = async (wanted) => {
    made.pass(41_000);
    return lookUp(wanted);
  };
  expect(await made.run(ping())).toEqual(['record of ping 1']);
  expect([made.posts, made.records.size]).toEqual([[], 0]);

  made.ports.lookUp = lookUp;
  expect(await made.run(ping(1, 2))).toEqual([]);
  expect(made.pinged()).toMatchObject({ state: 'succeeded', attempt_count: 1 });
});

test('a ping whose subscription cannot be read is received again', async () => {
  const made = world({ faults: [['sub_1', new Error('no such form')]] });
  expect(await made.run(ping())).toEqual(['record of ping 1']);
  expect([made.posts, made.keys.size]).toEqual([[], 0]);
});

test('a ping that a dead worker may have sent says so, and one that is on record is not sent again', async () => {
  const made = health({});
  await made.run(ping(1, 2));
  expect(made.pinged()?.first_attempt).toMatchObject({ attempt: 1, earlier_may_be_missing: true });
  await made.run(ping(1, 3));
  expect(made.posts).toHaveLength(1);
});

test('a ping is never resent', async () => {
  const record = knownRecord(ping(), { state: 'exhausted', state_reason: 'schedule' });
  const made = world({ records: [record] });
  await made.run({
    ...asReceived('signal', ping().message),
    receiveCount: 1,
    signal: resendSignal(ping().message),
  });
  expect([made.posts, made.keys.size]).toEqual([[], 0]);
  expect(made.records.get(record.message_id)).toBe(record);
});
