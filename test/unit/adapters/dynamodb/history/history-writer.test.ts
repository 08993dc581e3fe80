import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyWriter } from '../../../../../functions/adapters/dynamodb/history/history-writer.ts';
import { messageIdAt } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import type { MessageRecord } from '../../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../../functions/core/message/outcome.ts';
import { message } from '../../../../support/builders.ts';

/** A table that accepts and records everything. */
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
  ...recordOf(message()),
  state: 'retrying',
  attempt_count: 1,
  ...over,
});
const attempt = { attempt: 2, started_at: '2026-11-14T10:00:00.000Z', duration_ms: 5, status_code: 200 };

test('an ended message is kept for the retention of its stage, and its later attempts two weeks longer', async () => {
  const { save, calls } = table(30);
  const ended_at = attempt.started_at;
  await save([{ record: record({ state: 'succeeded', ended_at }), laterAttempt: attempt }]);
  const day = (days: number) => Date.parse(ended_at) / 1_000 + days * 86_400;
  expect(calls.flat().map((item) => item.remove_at_epoch_seconds)).toEqual([day(30), day(44)]);
});

test('the time to live starts when a message ends', async () => {
  const { save, calls } = table();
  const ended_at = '2026-11-20T10:00:00.000Z';
  await save([{ record: record({ state: 'retrying' }) }]);
  await save([{ record: record({ state: 'succeeded', ended_at }) }]);
  const ninetyDaysOn = Date.parse(ended_at) / 1_000 + 90 * 86_400;
  expect(calls.flat().map((item) => item.remove_at_epoch_seconds)).toEqual([undefined, ninetyDaysOn]);
});

test.each([
  ['retrying', 'sub_1#retrying'],
  ['parked', 'sub_1#parked'],
  ['succeeded', undefined],
  ['exhausted', 'sub_1#exhausted'],
  ['cancelled', 'sub_1#cancelled'],
] as const)(
  'a message that is %s is in the index of undelivered messages as %s',
  async (state, undelivered) => {
    const { save, calls } = table();
    await save([{ record: record({ state }), laterAttempt: attempt }]);
    expect(calls.flat().map((item) => item.undelivered)).toEqual([undelivered, undefined]);
  },
);

test('two outcomes for the same item are one write, of the later one', async () => {
  const { save, calls } = table();
  await save([{ record: record({ state: 'parked' }) }, { record: record({ state: 'succeeded' }) }]);
  expect(calls.flat().map(({ state }) => state)).toEqual(['succeeded']);
});

test('nothing to write causes no call', async () => {
  const { save, calls } = table();
  await save([]);
  expect(calls).toEqual([]);
});

describe('what the table does not accept', () => {
  const named = (message_id: string) => ({ record: record({ message_id }) });
  const a = named('msg_a');
  const [b, c] = [named('msg_b'), named('msg_c')];

  type Put = { PutRequest: { Item: Record<string, AttributeValue> } };
  /** A table that returns, for each call, the ids to leave unprocessed, or throws. */
  function fickle(answer: (ids: string[], call: number) => string[]) {
    const calls: string[][] = [];
    const client = {
      async send({ input }: { input: { RequestItems: Record<string, Put[]> } }) {
        const puts = input.RequestItems.history ?? [];
        const idOf = ({ PutRequest }: Put) => String(messageIdAt(unmarshall(PutRequest.Item)));
        calls.push(puts.map(idOf));
        const left = answer(puts.map(idOf), calls.length);
        return { UnprocessedItems: { history: puts.filter((put) => left.includes(idOf(put))) } };
      },
    };
    return { save: historyWriter(client as unknown as DynamoDBClient, 'history', 90), calls };
  }
  const invalid = () => Object.assign(new Error('bad "\ud800"'), { name: 'ValidationException' });
  const throttled = () =>
    Object.assign(new Error('slow'), { name: 'ProvisionedThroughputExceededException' });

  test('in time is reported, and nothing else: only that is retried', async () => {
    const { save, calls } = fickle((ids) => ids.filter((id) => id === 'msg_b'));
    const { untaken, refused } = await save([a, b, c]);
    expect([...untaken]).toEqual([b]);
    expect(refused.size).toBe(0);
    expect(calls[0]).toEqual(['msg_a', 'msg_b', 'msg_c']);
    expect(new Set(calls.slice(1).flat())).toEqual(new Set(['msg_b']));
  });

  test('because only a hot partition is left is reported likewise', async () => {
    const { save } = fickle((ids) => {
      if (ids.length === 1) throw throttled();
      return ids.filter((id) => id === 'msg_b');
    });
    expect([...(await save([a, b, c])).untaken]).toEqual([b]);
  });

  test('for its content is refused alone, with the reason escaped; the others are written', async () => {
    const written = new Set<string>();
    const { save } = fickle((ids) => {
      if (ids.includes('msg_b')) throw invalid();
      for (const id of ids) written.add(id);
      return [];
    });
    const { untaken, refused } = await save([a, b, c]);
    expect(written).toEqual(new Set(['msg_a', 'msg_c']));
    expect([...refused]).toEqual([[b, 'ValidationException: bad "\\ud800"']]);
    expect(untaken.size).toBe(0);
  });

  test('because it fails on one item is retried for that item; the others are written', async () => {
    const { save, calls } = fickle((ids) => {
      if (ids.includes('msg_b'))
        throw Object.assign(new Error('oops'), { $metadata: { httpStatusCode: 500 } });
      return [];
    });
    expect([...(await save([a, b, c])).untaken]).toEqual([b]);
    expect(calls.slice(1, 4).flat()).toEqual(['msg_a', 'msg_b', 'msg_c']);
  });

  test.each<Partial<MessageRecord>>([
    { held_ms: Number.NaN },
    { resource_id: 'x\ud800' },
    { first_attempt: { ...attempt, response_body: '\udc00' } },
  ])('because no item can hold it is not even sent: %j', async (over) => {
    const { save, calls } = fickle(() => []);
    const odd = { record: record({ ...over, message_id: 'msg_odd' }) };
    const { refused } = await save([a, odd]);
    expect([...refused.keys()]).toEqual([odd]);
    expect(calls).toEqual([['msg_a']]);
  });

  test('because it is unavailable is left to be retried as a whole, with the reason', async () => {
    const { save } = fickle(() => {
      throw new Error('DynamoDB is away');
    });
    const { untaken, internalErrors: faults } = await save([a, b]);
    expect([...untaken]).toEqual([a, b]);
    expect(String(faults[0])).toContain('DynamoDB is away');
  });
});
