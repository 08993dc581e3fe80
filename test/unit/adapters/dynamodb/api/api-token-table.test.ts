import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { apiTokenTable } from '../../../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { inTurn, recordingClient } from '../../../../support/recorded-parameters.ts';
import { conditionFailed } from '../pages.ts';

/** A table that answers each call with the next of these, and records the calls. */
function tableThat(...answers: (object | Error)[]) {
  const { client, inputs } = recordingClient<DynamoDBClient>(inTurn(...answers));
  return { tokens: apiTokenTable(client, 'tokens'), inputs };
}

const refused = conditionFailed();

// The grant of the authorizer lists these attributes: with one more, nothing would be counted on AWS.
test('another request of a window is counted only below the limit', async () => {
  const { tokens, inputs } = tableThat({});

  expect(await tokens.count('h', { kind: 'add', to: '2026-11-14T10:00:00.000Z', max: 600 })).toBe(true);
  expect(inputs).toEqual([
    {
      TableName: 'tokens',
      Key: { token_hash: { S: 'h' } },
      UpdateExpression: 'ADD window_requests :one',
      ConditionExpression: 'window_started_at = :window AND window_requests < :max',
      ExpressionAttributeValues: {
        ':one': { N: '1' },
        ':window': { S: '2026-11-14T10:00:00.000Z' },
        ':max': { N: '600' },
      },
    },
  ]);
});

test.each([
  [undefined, 'attribute_exists(token_hash) AND attribute_not_exists(window_started_at)', {}],
  [
    '2026-11-14T09:00:00.000Z',
    'window_started_at = :previous',
    { ':previous': { S: '2026-11-14T09:00:00.000Z' } },
  ],
])('a window after %s is started once', async (previous, condition, values) => {
  const { tokens, inputs } = tableThat({});

  expect(await tokens.count('h', { kind: 'begin', at: '2026-11-14T10:00:00.000Z', previous })).toBe(true);
  expect(inputs).toEqual([
    {
      TableName: 'tokens',
      Key: { token_hash: { S: 'h' } },
      UpdateExpression: 'SET window_started_at = :at, last_used_at = :at, window_requests = :one',
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ':at': { S: '2026-11-14T10:00:00.000Z' },
        ':one': { N: '1' },
        ...values,
      },
    },
  ]);
});

test('a request is not counted when the token was used or removed since it was read; other errors are thrown', async () => {
  const counting = { kind: 'add', to: 'then', max: 1 } as const;
  const { tokens } = tableThat(refused, new Error('throttled'));

  expect(await tokens.count('h', counting)).toBe(false);
  await expect(tokens.count('h', counting)).rejects.toThrow('throttled');
});

test('revoking a token that is revoked or removed changes nothing', async () => {
  const { tokens, inputs } = tableThat(refused);

  await tokens.revoke('h', { revoked_at: 'now', remove_at_epoch_seconds: 1 });
  expect(inputs).toMatchObject([
    { ConditionExpression: 'attribute_exists(token_hash) AND attribute_not_exists(revoked_at)' },
  ]);
});

test('a token from before ids existed gets its id from its hash', async () => {
  const old = { token_hash: '0123456789abcdef01', service_id: 'shop', description: '', created_at: 'then' };
  const { tokens } = tableThat({ Item: marshall(old) });

  expect(await tokens.find('0123456789abcdef01')).toMatchObject({
    token_id: 'tok_0123456789abcdef',
    scopes: ['read', 'write'],
  });
});

test('the tokens of a service are read completely, except one removed meanwhile', async () => {
  const item = {
    token_hash: 'a',
    token_id: 'tok_a',
    service_id: 'shop',
    description: '',
    created_at: 'then',
  };
  const { tokens, inputs } = tableThat(
    { Items: [marshall({ token_hash: 'a' }), marshall({ token_hash: 'b' })] },
    { Item: marshall(item) },
    {},
  );

  expect(await tokens.ofService('shop')).toMatchObject([{ token_id: 'tok_a' }]);
  expect(inputs).toMatchObject([
    { TableName: 'tokens', IndexName: 'by_service' },
    { Key: { token_hash: { S: 'a' } }, ConsistentRead: true },
    { Key: { token_hash: { S: 'b' } }, ConsistentRead: true },
  ]);
});
