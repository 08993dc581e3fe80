import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { waitingCounter } from '../../../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { recordingClient } from '../../../../support/recording-client.ts';

/** An index with this many messages, 400 to a page. */
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
  ['a few', 3, 3, 1],
  ['several pages', 999, 999, 3],
  ['as many as the limit', 1_000, 1_000, 3],
  ['more', 1_000_000, 1_000, 3],
])('%s are counted, up to the limit', async (_, waiting, expected, pages) => {
  const { count, queries } = indexOf(waiting);
  expect(await count('sub_1', 1_000)).toBe(expected);
  expect(queries).toHaveLength(pages);
});
