import { deliver } from '../../../functions/deliver/deliver.ts';
import { TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { BUSY, event, knownRecord, world } from './world.ts';

test('a message that has succeeded is not sent again', async () => {
  const one = event('a', {}, 2);
  const { ports, log } = world({ records: [knownRecord(one, { state: 'succeeded' })] });
  expect(await deliver([one], ports)).toEqual([]);
  expect(log).toEqual(['repeat a']);
});

test('the same message twice in a batch is sent once', async () => {
  const { ports, log } = world();
  const twice = [event('a'), { ...event('a'), recordId: 'another record' }];
  expect(await deliver(twice, ports)).toEqual([]);
  expect(log).toEqual(['post a', 'repeat a', 'save a']);
});

test('the same message twice in a batch has one outcome when it is refused', async () => {
  const { ports, saved } = world({ answer: () => BUSY });
  const twice = [event('a'), { ...event('a'), recordId: 'another record' }];
  expect(await deliver(twice, ports)).toEqual(['record of a', 'another record']);
  expect(saved.map(({ record }) => record.state)).toEqual(['retrying']);
});

test('a message that waits together with its repeat is on record as it was first admitted', async () => {
  const { ports, saved } = world({ answer: () => BUSY });
  const waiting = event('b');
  const repeat = { ...event('b', { admitted_at_ms: TEN_O_CLOCK_MS + 300_000 }), recordId: 'another record' };
  await deliver([event('a'), waiting, repeat], ports);
  expect(saved.map(({ record }) => [record.event_id, record.admitted_at])).toEqual([
    ['a', '2026-11-14T10:00:00.000Z'],
    ['b', '2026-11-14T10:00:00.000Z'],
  ]);
});

test.each([
  ['was received before', event('a', {}, 2)],
  ['match may have sent before', event('a', { sent_before: true })],
  ['was admitted more than four minutes ago', event('a', { admitted_at_ms: TEN_O_CLOCK_MS - 240_001 })],
  ['happened more than four minutes ago', event('a', { occurred_at: '2026-11-14T09:55:00.000Z' })],
])('a message that %s is looked up in the history', async (_, one) => {
  const { ports, asked } = world();
  await deliver([one], ports);
  expect(asked[0]?.messageIds).toEqual([one.message.message_id]);
});

test('a fresh message is not looked up', async () => {
  const { ports, asked } = world();
  await deliver([event('a')], ports);
  expect(asked[0]?.messageIds).toEqual([]);
});

test('a second try is an item of its own, and the record keeps the first and its time to send', async () => {
  const one = event('a', {}, 2);
  const first_attempt = {
    attempt: 1,
    started_at: '2026-11-14T10:00:00.003Z',
    duration_ms: 5,
    status_code: 500,
  };
  const known = knownRecord(one, {
    time_to_send_ms: 3,
    first_attempt,
    last_failure_class: 'http_status',
    last_status_code: 500,
  });
  const { ports, saved, posts } = world({ records: [known] });
  await deliver([one], ports);
  expect(saved).toMatchObject([
    {
      record: {
        state: 'succeeded',
        attempt_count: 2,
        time_to_send_ms: 3,
        first_attempt,
        last_status_code: 200,
      },
      laterAttempt: { attempt: 2, status_code: 200 },
    },
  ]);
  expect(saved[0]?.record).not.toHaveProperty('last_failure_class');
  expect(posts[0]).toMatchObject({ body: '{"as":"sent"}', headers: { 'webhook-attempt': '2' } });
});

test('a message that waited untried is then tried for the first time, with nothing missing', async () => {
  const one = event('a', {}, 2);
  const known = knownRecord(one, { state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 });
  const { ports, saved } = world({ records: [known] });
  await deliver([one], ports);
  expect(saved[0]?.record).toMatchObject({ state: 'succeeded', attempt_count: 1, time_to_send_ms: 7 });
  expect(saved[0]?.record).not.toHaveProperty('state_reason');
  expect(saved[0]?.record.first_attempt).not.toHaveProperty('earlier_may_be_missing');
});

test('received before and yet not on record: the attempt says that an earlier one may be missing', async () => {
  const { ports, saved } = world();
  await deliver([event('a', {}, 2)], ports);
  expect(saved[0]?.record.first_attempt).toMatchObject({ attempt: 1, earlier_may_be_missing: true });
});

test.each([
  [3, undefined],
  [4, true],
])(
  'tried at its second reception, and now at its %dth: an attempt may be missing: %s',
  async (receiveCount, missing) => {
    const one = event('a', {}, receiveCount);
    const { ports, saved } = world({ records: [knownRecord(one, { receive_count: 2 })] });
    await deliver([one], ports);
    expect(saved[0]?.laterAttempt?.earlier_may_be_missing).toBe(missing);
  },
);
