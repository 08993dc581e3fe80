import { challengeOf } from '../../../../../functions/core/message/challenge.ts';
import type { Message } from '../../../../../functions/core/message/message.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { halted } from '../../../core/circuit/given/circuits.ts';
import { asReceived, BUSY, event, OK, timersOf, world } from '../world.ts';

const bytes = (fill: number) => new Uint8Array(32).fill(fill);
const challenge = challengeOf(subscription(), bytes(1), TEN_O_CLOCK_MS);
const { message_id: challenge_id, payment_id } = challenge;
const ECHO = { ...OK, response_body: JSON.parse(challenge.resource ?? '').challenge as string };

const unproven = subscription({ state: 'unproven', challenge_id, circuit: halted() });

const delivery = (message: Message) => ({
  ...asReceived(message.event_id, message),
  receiveCount: 1,
  message,
});

test('events wait until the endpoint has answered its challenge, then its backlog drains', async () => {
  const given = world({ subscriptions: [unproven], answer: () => ECHO });

  await given.run(event('evt-1'));
  expect(given.of('evt-1')).toMatchObject({ state: 'parked', state_reason: 'unproven', attempt_count: 0 });
  expect(given.posts).toEqual([]);

  await given.run(delivery(challenge));
  expect(given.records.get(challenge_id)).toMatchObject({ state: 'succeeded', attempt_count: 1 });
  expect(given.subscriptions.get('sub_1')).toMatchObject({ state: 'active', circuit: { state: 'draining' } });
  expect(given.subscriptions.get('sub_1')).not.toHaveProperty('challenge_id');
  expect(timersOf(given.armed)).toEqual(['circuit timer 4 at 10:00:00.007']);
  expect(given.posts).toMatchObject([{ headers: { 'webhook-id': challenge_id } }]);
});

test('a challenge that is not repeated is tried again as any message, and says why it failed', async () => {
  const given = world({ subscriptions: [unproven] });

  await given.run(delivery(challenge));

  expect(given.records.get(challenge_id)).toMatchObject({
    state: 'retrying',
    attempt_count: 1,
    last_failure_class: 'not_echoed',
    first_attempt: { status_code: 200, response_body: 'thanks' },
    next_attempt_at: '2026-11-14T10:00:05.007Z',
  });
  expect(given.keys.get(`sub_1.${payment_id}`)).toMatchObject({ state: 'waiting' });
  expect(given.subscriptions.get('sub_1')).toEqual(unproven);
});

test.each([
  ['410', { ...BUSY, status_code: 410 }],
  ['503', BUSY],
  [
    'nothing in time',
    { failure_class: 'timeout' as const, failure_reason: 'no answer within 10 s', duration_ms: 10_000 },
  ],
  ['302 with the echo', { ...BUSY, status_code: 302, response_body: ECHO.response_body }],
])('an answer of %s changes nothing of the subscription and its circuit', async (_, answer) => {
  const given = world({ subscriptions: [unproven], answer: () => answer });
  await given.run(delivery(challenge));
  expect(given.records.get(challenge_id)).toMatchObject({ state: 'retrying' });
  expect(given.subscriptions.get('sub_1')).toEqual(unproven);
  expect(given.counted.size).toBe(0);
});

test('an earlier challenge is not sent any more', async () => {
  const given = world({ subscriptions: [{ ...unproven, challenge_id: 'msg_2' }], answer: () => ECHO });
  await given.run(delivery(challenge));
  expect(given.posts).toEqual([]);
  expect(given.records.get(challenge_id)).toMatchObject({ state: 'cancelled', state_reason: 'superseded' });
});

test('an answer that comes after the host has changed proves nothing', async () => {
  const given = world({
    subscriptions: [unproven],
    answer: () => {
      const later = { ...unproven, challenge_id: 'msg_2', circuit: { ...halted(), revision: 9 } };
      given.subscriptions.set('sub_1', later);
      return ECHO;
    },
  });
  await given.run(delivery(challenge));
  expect(given.subscriptions.get('sub_1')).toMatchObject({ state: 'unproven', challenge_id: 'msg_2' });
});

test('an answer that comes after the deletion changes nothing', async () => {
  const given = world({
    subscriptions: [unproven],
    answer: () => {
      const gone = { ...unproven, state: 'deleted', circuit: { ...halted(), revision: 9 } } as const;
      given.subscriptions.set('sub_1', gone);
      return ECHO;
    },
  });
  expect(await given.run(delivery(challenge))).toEqual([]);
  expect(given.subscriptions.get('sub_1')).toMatchObject({ state: 'deleted' });
  expect(given.records.get(challenge_id)).toMatchObject({ state: 'succeeded' });
});

test('a proof that cannot be written is asked for again', async () => {
  const given = world({ subscriptions: [unproven], answer: () => ECHO });
  given.ports.changeEndpointHealth = async () => undefined;
  expect(await given.run(delivery(challenge))).toEqual([challenge.event_id]);
  expect(given.records.has(challenge_id)).toBe(false);
});
