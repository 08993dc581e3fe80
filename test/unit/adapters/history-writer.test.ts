import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyWriter } from '../../../functions/adapters/history-writer.ts';
import { type MessageRecord, recordOf } from '../../../functions/core/history.ts';
import { message, TEN_O_CLOCK_MS } from '../../support/builders.ts';

/** A table that takes everything and writes it down. */
function table(retentionDays = 90) {
  const calls: Record<string, unknown>[][] = [];
  const client = {
    async send({ input }: { input: { RequestItems: Record<string, { PutRequest: { Item: never } }[]> } }) {
      calls.push((input.RequestItems.history ?? []).map(({ PutRequest }) => unmarshall(PutRequest.Item)));
      return {};
    },
  };
  return { save: historyWriter(client as unknown as DynamoDBClient, 'history', retentionDays), calls };
}

const record = (over: Partial<MessageRecord>): MessageRecord => ({
  ...recordOf(message(), '{}'),
  state: 'retrying',
  attempt_count: 1,
  ...over,
});
const attempt = { attempt: 2, started_at: '2026-11-14T10:00:00.000Z', duration_ms: 5, status_code: 200 };

test('a message and a later attempt are two items of its partition', async () => {
  const { save, calls } = table();
  await save([{ record: record({ state: 'succeeded', attempt_count: 2 }), laterAttempt: attempt }]);
  const { message_id } = message();
  expect(calls).toEqual([
    [
      expect.objectContaining({ message_id, item: 'message', state: 'succeeded' }),
      expect.objectContaining({ message_id, item: 'attempt#00002', status_code: 200 }),
    ],
  ]);
});

test('what has ended stays for as long as its stage says, and its later attempts two weeks longer', async () => {
  const { save, calls } = table(30);
  const ended_at = attempt.started_at;
  await save([{ record: record({ state: 'succeeded', ended_at }), laterAttempt: attempt }]);
  const day = (days: number) => Date.parse(ended_at) / 1_000 + days * 86_400;
  expect(calls.flat().map((item) => item.remove_at_epoch_seconds)).toEqual([day(30), day(44)]);
});

test('time to live begins when a message has ended', async () => {
  const { save, calls } = table();
  const ended_at = '2026-11-20T10:00:00.000Z';
  await save([{ record: record({ state: 'retrying' }) }]);
  await save([{ record: record({ state: 'succeeded', ended_at }) }]);
  const ninetyDaysOn = Date.parse(ended_at) / 1_000 + 90 * 86_400;
  expect(calls.flat().map((item) => item.remove_at_epoch_seconds)).toEqual([undefined, ninetyDaysOn]);
});

test('a try outlives a message that may end two weeks later', async () => {
  const { save, calls } = table();
  await save([{ record: record({}), laterAttempt: attempt }]);
  const removedAt = TEN_O_CLOCK_MS / 1_000 + (14 + 90) * 86_400;
  expect(calls.flat().map((item) => item.remove_at_epoch_seconds)).toEqual([undefined, removedAt]);
});

test.each([
  ['retrying', undefined],
  ['parked', undefined],
  ['succeeded', undefined],
  ['exhausted', '2026-11-14'],
  ['cancelled', '2026-11-14'],
] as const)('a message that is %s is among the unsuccessful of day %s', async (state, day) => {
  const { save, calls } = table();
  await save([{ record: record({ state, ended_at: '2026-11-14T23:59:59.999Z' }) }]);
  expect(calls.flat().map(({ unsuccessful_on }) => unsuccessful_on)).toEqual([day]);
});

test('a test ping that failed is not among the unsuccessful: nobody missed anything', async () => {
  const { save, calls } = table();
  await save([{ record: record({ event_type: 'ping', state: 'exhausted', state_reason: 'schedule' }) }]);
  expect(calls.flat().map(({ unsuccessful_on }) => unsuccessful_on)).toEqual([undefined]);
});

test.each([
  ['retrying', 'sub_1'],
  ['parked', 'sub_1'],
  ['succeeded', undefined],
  ['exhausted', undefined],
  ['cancelled', undefined],
] as const)('a message that is %s is among those that wait for subscription %s', async (state, waitsFor) => {
  const { save, calls } = table();
  await save([{ record: record({ state }), laterAttempt: attempt }]);
  expect(calls.flat().map(({ waiting_for }) => waiting_for)).toEqual([waitsFor, undefined]);
});

test('two outcomes for the same item are one write, of the later', async () => {
  const { save, calls } = table();
  await save([{ record: record({ state: 'parked' }) }, { record: record({ state: 'succeeded' }) }]);
  expect(calls.flat().map(({ state }) => state)).toEqual(['succeeded']);
});

test('nothing to write costs no call', async () => {
  const { save, calls } = table();
  await save([]);
  expect(calls).toEqual([]);
});
