import { createHash } from 'node:crypto';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { BUSY, event, knownRecord, world } from '../world.ts';

/** Of event a for sub_1, as versions made it that did not name the payment. */
const FORMER_ID = `msg_${createHash('sha256').update('a\nsub_1').digest().subarray(0, 18).toString('base64url')}`;

test.each([
  ['by a version that did not name the payment in ids', FORMER_ID, event('a').message.message_id],
  ['by this one, and repeated by such a version', event('a').message.message_id, FORMER_ID],
])('a message that was sent %s is known', async (_, known, repeated) => {
  const one = event('a', { message_id: repeated }, 2);
  const record = { ...knownRecord(one, { state: 'succeeded' }), message_id: known };
  const { run, posts } = world({ records: [record] });
  expect(await run(one)).toEqual([]);
  expect(posts).toEqual([]);
});

test('what was sent under such an id of another payment is no repeat', async () => {
  const one = event('a', {}, 2);
  const other = { ...knownRecord(one, { state: 'succeeded' }), message_id: FORMER_ID, payment_id: 'pay-2' };
  const { run, posts } = world({ records: [other] });
  expect(await run(one)).toEqual([]);
  expect(posts).toHaveLength(1);
});

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
  expect(asked[0]?.messageIds).toEqual([one.message.message_id, FORMER_ID]);
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
