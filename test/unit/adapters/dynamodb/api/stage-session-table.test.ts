import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { stageSessionTable } from '../../../../../functions/adapters/dynamodb/api/stage-session-table.ts';
import { newStageSession } from '../../../../../functions/core/api/stage/stage-session.ts';
import { recordingClient } from '../../../../support/recording-client.ts';

const SESSION = newStageSession(
  { rights: 'on-call', who: 'ada', lastsSeconds: 3_600 },
  'phc_stage_code',
  Date.parse('2026-11-14T10:00:00.000Z'),
);
const KEY = `#stage#${SESSION.session_id}`;

// The grants name the prefix: without it, no session could be made or used on AWS.
test('a session is stored under keys of its own, and not in the index of a service', async () => {
  const { client, inputs } = recordingClient<DynamoDBClient, { Item?: object }>(() => ({
    Item: marshall({ ...SESSION, token_hash: KEY }),
  }));
  const sessions = stageSessionTable(client, 'tokens');
  await sessions.add(SESSION);
  expect(await sessions.find(SESSION.session_id)).toEqual(SESSION);
  expect(inputs).toMatchObject([
    { Item: marshall({ ...SESSION, token_hash: KEY }), ConditionExpression: 'attribute_not_exists(#key)' },
    { Key: { token_hash: { S: KEY } }, ConsistentRead: true },
  ]);
  expect(inputs[0]?.Item).not.toHaveProperty('service_id');
  expect(sessions.countedAs(SESSION.session_id)).toBe(KEY);
});
