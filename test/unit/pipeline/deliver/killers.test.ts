import { readDeliveries } from '../../../../functions/pipeline/deliver/deliver.ts';
import { sqsRecord } from './sqs-record.ts';
import { BUSY, event, signalled, world } from './world.ts';

const explanation = 'three workers died';
const killer = { killer: { explanation, killsReaders: false } };

test('a message that ends its workers is not attempted: its ordering key waits for an operator', async () => {
  const { run, posts, keys, waiting } = world();
  expect(await run({ ...event('a1'), ...killer }, event('a2'))).toEqual([]);
  expect(posts).toEqual([]);
  expect(keys.get('sub_1.pay-1')).toMatchObject({ state: 'stuck', explanation });
  expect(waiting()).toEqual(['a1', 'a2']);
});

test('so does one whose retry ends its workers, with all that waits behind it', async () => {
  const { run, pass, posts, keys, waiting } = world({ answer: () => BUSY });
  await run(event('a1'), event('a2'));
  pass(60_000);
  expect(await run({ ...signalled('resume'), ...killer })).toEqual([]);
  expect(posts).toHaveLength(1);
  expect(keys.get('sub_1.pay-1')).toMatchObject({ state: 'stuck', explanation });
  expect(waiting()).toEqual(['a1', 'a2']);
});

test('a signal that ends its workers, and for which nothing waits, is dead-lettered', async () => {
  const { run, deadRecords } = world();
  expect(await run({ ...signalled('resend'), ...killer })).toEqual([]);
  expect(deadRecords).toMatchObject([{ reason: 'kills_worker', explanation }]);
});

test('a record that ends even those who read it is dead-lettered unread', () => {
  const record = sqsRecord(event('a1').message);
  expect(readDeliveries([record], killer.killer).incoming).toMatchObject([killer]);
  expect(readDeliveries([record], { explanation, killsReaders: true })).toMatchObject({
    incoming: [],
    unreadable: [{ recordId: 'rec_1', reason: 'kills_worker', explanation }],
  });
});
