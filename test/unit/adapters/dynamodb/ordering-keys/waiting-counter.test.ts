import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { waitingCounter } from '../../../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { recordingClient } from '../../../../support/recording-client.ts';

/** An index with this many messages in each of two states, 400 to a page. */
function indexOf(waiting: number) {
  const { client, inputs } = recordingClient<DynamoDBClient, QueryCommand['input']>((input) => {
    const from = Number(input.ExclusiveStartKey?.from?.N ?? 0);
    const next = Math.min(waiting, from + Math.min(400, input.Limit ?? 0));
    return {
      Count: next - from,
      ...(next < waiting ? { LastEvaluatedKey: { from: { N: `${next}` } } } : {}),
    };
  });
  return { count: waitingCounter(client, 'history'), queries: inputs };
}

test.each([
  ['none', 0, 0, 1],
  ['a few', 3, 6, 1],
  ['several pages', 499, 998, 2],
  ['as many as the limit', 500, 1_000, 2],
  ['more', 1_000_000, 1_000, 3],
])('%s are counted in both states, up to the limit', async (_, inEach, expected, pagesOfEach) => {
  const { count, queries } = indexOf(inEach);
  expect(await count('sub_1', 1_000)).toBe(expected);
  const states = queries.map(
    ({ ExpressionAttributeValues = {} }) => ExpressionAttributeValues[':undelivered']?.S,
  );
  expect(states.filter((state) => state === 'sub_1#retrying')).toHaveLength(pagesOfEach);
  expect(states.filter((state) => state === 'sub_1#parked')).toHaveLength(pagesOfEach);
});
