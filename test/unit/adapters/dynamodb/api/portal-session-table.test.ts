import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { portalSessionTable } from '../../../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { stageSessionTable } from '../../../../../functions/adapters/dynamodb/api/stage-session-table.ts';
import { newPortalSession } from '../../../../../functions/core/api/portal/portal-session.ts';
import { newStageSession } from '../../../../../functions/core/api/stage/stage-session.ts';
import { inTurn, recordingClient } from '../../../../support/recorded-parameters.ts';
import { conditionFailed } from '../pages.ts';

describe('portal session table', () => {
  const TEN = Date.parse('2026-11-14T10:00:00.000Z');
  const BY = { exchanged_at: '2026-11-14T10:00:00.000Z', secret_hash: 'mine' };
  const SESSION = newPortalSession(
    { service_id: 'shop', rights: 'read', lastsSeconds: 3_600 },
    'phc_code',
    undefined,
    TEN,
  );

  /** As it is stored. */
  const ITEM = { ...SESSION, token_hash: `#portal#${SESSION.session_id}`, service_id: '#portal#shop' };

  /** A table that answers each call with the next of these, and records the calls. */
  function tableThat(...answers: (object | Error)[]) {
    const { client, inputs } = recordingClient<DynamoDBClient>(inTurn(...answers));
    return { sessions: portalSessionTable(client, 'tokens'), inputs };
  }

  // The grant of the api names the prefix: without it, no session could be made on AWS.
  test('a session is stored under keys that no token and no service can have', async () => {
    const { sessions, inputs } = tableThat({});
    await sessions.add(SESSION);
    expect(inputs).toMatchObject([
      { Item: marshall(ITEM), ConditionExpression: 'attribute_not_exists(#key)' },
    ]);
  });

  test('a session is read as it was made', async () => {
    const { sessions, inputs } = tableThat({ Item: marshall(ITEM) });
    expect(await sessions.find(SESSION.session_id)).toEqual(SESSION);
    expect(inputs).toMatchObject([{ Key: { token_hash: { S: ITEM.token_hash } }, ConsistentRead: true }]);
  });

  test('a code is exchanged on condition that the session waits', async () => {
    const { sessions, inputs } = tableThat(
      { Item: marshall(ITEM) },
      { Attributes: marshall({ ...ITEM, ...BY }) },
    );
    expect(await sessions.exchange(SESSION.session_id, BY, TEN)).toEqual({ ...SESSION, ...BY });
    expect(inputs[1]).toMatchObject({
      ConditionExpression:
        'attribute_not_exists(exchanged_at) AND attribute_not_exists(revoked_at) AND link_expires_at_epoch_seconds > :now',
    });
  });

  test('an exchange that the SDK repeated, because its answer was lost, succeeds', async () => {
    const { sessions } = tableThat({ Item: marshall(ITEM) }, conditionFailed({ ...ITEM, ...BY }));
    expect(await sessions.exchange(SESSION.session_id, BY, TEN)).toMatchObject(BY);
  });

  test.each([
    ['another exchange was first', conditionFailed({ ...ITEM, ...BY, secret_hash: 'theirs' })],
    ['its item was removed meanwhile', conditionFailed()],
  ])('an exchange fails when %s', async (_, answer) => {
    const { sessions } = tableThat({ Item: marshall(ITEM) }, answer);
    expect(await sessions.exchange(SESSION.session_id, BY, TEN)).toBeUndefined();
  });

  test.each([
    ['was revoked', { revoked_at: 'then' }],
    ['has expired', { expires_at_epoch_seconds: TEN / 1_000 }],
    ['is not on record', undefined],
  ])('nothing is written when the token that made the session %s', async (_, maker) => {
    const made = { ...ITEM, made_by: { token_id: 'tok_1', token_hash: 'h' } };
    const { sessions, inputs } = tableThat(
      { Item: marshall(made) },
      maker === undefined ? {} : { Item: marshall(maker) },
    );
    expect(await sessions.exchange(SESSION.session_id, BY, TEN)).toBeUndefined();
    expect(inputs).toHaveLength(2);
    // The grant lists these attributes.
    expect(inputs[1]).toMatchObject({
      ProjectionExpression: 'token_hash, revoked_at, expires_at_epoch_seconds',
    });
  });

  test('other errors are thrown', async () => {
    const { sessions } = tableThat({ Item: marshall(ITEM) }, new Error('throttled'));
    await expect(sessions.exchange(SESSION.session_id, BY, TEN)).rejects.toThrow('throttled');
  });
});

describe('stage session table', () => {
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
});
