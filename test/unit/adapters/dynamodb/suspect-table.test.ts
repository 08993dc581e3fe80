import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { streamPosition } from '../../../../functions/adapters/dynamodb/stream-position.ts';
import { suspectTable } from '../../../../functions/adapters/dynamodb/suspect-table.ts';
import { sequencesTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { recordingClient } from '../../../support/recorded-parameters.ts';

/** One item with a set of numbers. */
function table() {
  const begun = new Set<string>();
  const { client, inputs } = recordingClient<DynamoDBClient, UpdateItemCommandInput>(
    ({ UpdateExpression = '', ExpressionAttributeValues = {} }) => {
      for (const receive of ExpressionAttributeValues[':receive']?.NS ?? []) {
        UpdateExpression.startsWith('ADD') ? begun.add(receive) : begun.delete(receive);
      }
      return { Attributes: begun.size === 0 ? {} : { begun: { NS: [...begun] } } };
    },
  );
  const suspects = suspectTable(client, { table: 'sequences', keys: sequencesTable, now: () => 1_000 });
  return { suspects, inputs };
}

test('counts the workers that began with a record before and did not end', async () => {
  const { suspects } = table();
  expect(await suspects.begin('rec_1', 3)).toBe(0);
  expect(await suspects.begin('rec_1', 4)).toBe(1);
  await suspects.end('rec_1', 4);
  expect(await suspects.begin('rec_1', 5)).toBe(1);
});

test('a call that the SDK repeats counts once', async () => {
  const { suspects } = table();
  await suspects.begin('rec_1', 3);
  expect(await suspects.begin('rec_1', 3)).toBe(0);
});

test('its item is in a partition of its own, and expires', async () => {
  const { suspects, inputs } = table();
  await suspects.begin('rec_1', 3);
  expect(inputs).toMatchObject([
    {
      TableName: 'sequences',
      Key: { payment: { S: '#suspect#rec_1' }, item: { S: 'begun' } },
      UpdateExpression: 'ADD #begun :receive SET #remove = :remove',
      ExpressionAttributeNames: { '#remove': 'remove_at_epoch_seconds' },
      ExpressionAttributeValues: { ':remove': { N: String(1 + 15 * 86_400) } },
    },
  ]);
});

test('positions sort like the numbers of records', () => {
  const numbers = [
    '1',
    '9',
    '35',
    '36',
    '999',
    '300000000000000499659',
    '21258800000000008186106757',
    '9'.repeat(40),
  ];
  const positions = numbers.map(streamPosition);
  expect(positions.toSorted()).toEqual(positions);
  expect(new Set(positions).size).toBe(numbers.length);
  expect(positions.at(-1)).toHaveLength(27);
});

test('a number with zeros before it is the same number', () => {
  expect(streamPosition('000000000000000000036')).toBe(streamPosition('36'));
});
