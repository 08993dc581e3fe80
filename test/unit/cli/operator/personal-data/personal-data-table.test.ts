import type { DynamoDBClient, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import type { HeldOnRecord } from '../../../../../cli/operator/personal-data/held-on-record.ts';
import { erasureOf } from '../../../../../cli/operator/personal-data/personal-data-erasure.ts';
import { messageOnRecord } from '../../../../../cli/operator/personal-data/personal-data-on-record.ts';
import { personalDataTable } from '../../../../../cli/operator/personal-data/personal-data-table.ts';
import { attemptAddress, messageAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { record } from '../../../adapters/dynamodb/blocked-ordering-keys.ts';
import { cancelled } from '../../../adapters/dynamodb/pages.ts';

const TABLES = { history: 'history', sequences: 'sequences' };
const AT = '2026-11-14T12:00:00.000Z';
const ended = { state: 'succeeded', attempt_count: 2, ended_at: '2026-11-14T10:00:00.000Z' } as const;

/** A table that takes transactions until `answer` throws, and writes down what it was asked. */
function table(answer: (call: number) => void = () => {}) {
  const { client, inputs } = recordingClient<DynamoDBClient, TransactWriteItemsCommandInput>((_, call) => {
    answer(call);
    return {};
  });
  return { ...personalDataTable(client, TABLES), calls: inputs };
}

function stored(attempts: number) {
  const kept = record(1, ended);
  const item = { ...messageAddress(kept.message_id), ...kept };
  return messageOnRecord(
    item,
    Array.from({ length: attempts }, (_, index) => ({
      ...attemptAddress(kept.message_id, index + 2),
      response_body: 'thanks',
    })),
  );
}

test('body and answers go at once, on condition that the message is as it was read', async () => {
  const { eraseMessage, calls } = table();
  expect(await eraseMessage(stored(1), AT)).toBe(true);
  expect(calls).toHaveLength(1);
  const [message, attempt] = calls[0]?.TransactItems ?? [];
  expect(message?.Update).toMatchObject({
    TableName: 'history',
    UpdateExpression: 'SET #body_erased_at = if_not_exists(#body_erased_at, :at) REMOVE #resource',
    ConditionExpression: '#state = :state AND #ended_at = :ended_at AND #attempt_count = :attempt_count',
    ExpressionAttributeValues: {
      ':at': { S: AT },
      ':state': { S: 'succeeded' },
      ':ended_at': { S: ended.ended_at },
      ':attempt_count': { N: '2' },
    },
  });
  expect(attempt?.Update).toMatchObject({ UpdateExpression: 'REMOVE #response_body' });
});

test('the answer to the first attempt lies with the message, and goes with its body', async () => {
  const { eraseMessage, calls } = table();
  const first_attempt = { attempt: 1, started_at: ended.ended_at, duration_ms: 5, response_body: 'thanks' };
  await eraseMessage(messageOnRecord({ ...stored(0).record, first_attempt }, []), AT);
  expect(calls[0]?.TransactItems?.[0]?.Update?.UpdateExpression).toContain(
    'REMOVE #resource, #first_attempt.#response_body',
  );
});

test('more attempts than a transaction takes go in further ones, each as long as the message stays erased', async () => {
  const { eraseMessage, calls } = table();
  await eraseMessage(stored(150), AT);
  expect(calls.map(({ TransactItems = [] }) => TransactItems.length)).toEqual([100, 52]);
  expect(calls[1]?.TransactItems?.[0]?.ConditionCheck).toMatchObject({
    ConditionExpression: 'attribute_exists(#body_erased_at)',
  });
});

test.each(['ConditionalCheckFailed', 'TransactionConflict'])(
  'a message that somebody else is changing (%s) is left as it is',
  async (code) => {
    const { eraseMessage, calls } = table(() => {
      throw cancelled(code, 'None');
    });
    expect(await eraseMessage(stored(150), AT)).toBe(false);
    expect(calls).toHaveLength(1);
  },
);

test('anything else is told', async () => {
  const internalError = cancelled('ValidationError');
  const { eraseMessage } = table(() => {
    throw internalError;
  });
  await expect(eraseMessage(stored(0), AT)).rejects.toBe(internalError);
});

const ENDED_AT = '2026-11-14T10:00:00.000Z';
const NOW = Date.parse('2026-11-14T11:00:00.000Z');
const succeeded = { state: 'succeeded', attempt_count: 1, ended_at: ENDED_AT } as const;

function message(number: number, over: Parameters<typeof record>[1] = succeeded, answer?: string) {
  const attempts = answer === undefined ? [] : [{ attempt: 2, response_body: answer }];
  return messageOnRecord(record(number, over), attempts);
}
const held = { waiting: [], left: [] };
const resource = (number: number, text = '{}') => ({ item: {}, event_id: `evt-${number}`, resource: text });

test('what has ended is erased, with the resources that nobody needs any more', () => {
  const [one, two] = [message(1), message(2, { ...succeeded, state: 'exhausted' })];
  const { messages, resources } = erasureOf({ messages: [one, two], resources: [resource(1)], held }, NOW);
  expect([messages, resources]).toEqual([[one, two], [resource(1)]]);
});

test.each(['retrying', 'parked'] as const)('what is %s is to be sent, and keeps its resource', (state) => {
  const waiting = message(1, { state });
  const erasure = erasureOf(
    { messages: [waiting, message(1), message(2)], resources: [resource(1), resource(2)], held },
    NOW,
  );
  expect(erasure.waiting).toEqual([waiting]);
  expect(erasure.resources).toEqual([resource(2)]);
});

test('an event that waits for its turn keeps its resource, and one that has continued goes with its own', () => {
  const onHold = (number: number): HeldOnRecord => ({
    known: { event_id: `evt-${number}`, sequence: number, public_type: 'card_payment_captured' },
    item: {},
  });
  const [waits, gone] = [onHold(1), onHold(2)];
  const erasure = erasureOf(
    { messages: [], resources: [resource(1), resource(2)], held: { waiting: [waits], left: [gone] } },
    NOW,
  );
  expect(erasure).toMatchObject({ resources: [resource(2)], held: { waiting: [waits], left: [gone] } });
});

test('what ended a moment ago may still be written by a worker, for two minutes', () => {
  const one = message(1);
  const of = (afterMs: number) =>
    erasureOf({ messages: [one], resources: [resource(1)], held }, Date.parse(ENDED_AT) + afterMs);
  expect(of(119_999)).toMatchObject({ messages: [], resources: [], fresh: [one] });
  expect(of(120_000)).toMatchObject({ messages: [one], fresh: [] });
});

test('what was erased before is not erased again, unless an answer is left from an erasure that was cut short', () => {
  const { resource: _, ...bare } = record(1, { ...succeeded, body_erased_at: ENDED_AT });
  const done = messageOnRecord(bare, [{ attempt: 2 }]);
  const cutShort = messageOnRecord(bare, [{ attempt: 2, response_body: 'thanks' }]);
  expect(erasureOf({ messages: [done], resources: [resource(1, '')], held }, NOW)).toEqual({
    messages: [],
    resources: [],
    held,
    waiting: [],
    fresh: [],
    done: [done],
  });
  expect(erasureOf({ messages: [cutShort], resources: [], held }, NOW).messages).toEqual([cutShort]);
});
