import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { BUSY, event, knownRecord, world } from '../world.ts';

test('a message that has succeeded is not sent again', async () => {
  const one = event('a', {}, 2);
  const { run, log } = world({ records: [knownRecord(one, { state: 'succeeded' })] });
  expect(await run(one)).toEqual([]);
  expect(log).toEqual(['repeat a']);
});

test('the same message twice in a batch is sent once', async () => {
  const { run, log } = world();
  expect(await run(event('a'), { ...event('a'), recordId: 'another record' })).toEqual([]);
  expect(log).toEqual(['post a', 'repeat a', 'save a']);
});

test('the same message twice in a batch has one attempt when it is refused', async () => {
  const { run, of, posts } = world({ answer: () => BUSY });
  expect(await run(event('a'), { ...event('a'), recordId: 'another record' })).toEqual([]);
  expect(posts).toHaveLength(1);
  expect(of('a')).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

test.each([
  ['was received before', event('a', {}, 2)],
  ['match may have sent before', event('a', { sent_before: true })],
  ['was admitted more than four minutes ago', event('a', { admitted_at_ms: TEN_O_CLOCK_MS - 240_001 })],
  ['happened more than four minutes ago', event('a', { occurred_at: '2026-11-14T09:55:00.000Z' })],
])('a message that %s is looked up in the history', async (_, one) => {
  const { run, asked } = world();
  await run(one);
  expect(asked[0]?.messageIds).toEqual([one.message.message_id]);
});

test('a fresh message is not looked up', async () => {
  const { run, asked } = world();
  await run(event('a'));
  expect(asked[0]?.messageIds).toEqual([]);
});

test('received before and yet not on record: the attempt says that an earlier one may be missing', async () => {
  const { run, of } = world();
  await run(event('a', {}, 2));
  expect(of('a')?.first_attempt).toMatchObject({ attempt: 1, earlier_may_be_missing: true });
});
