import { descriptionOf } from '../../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { MEMBERS, shownToStage } from '../../../../functions/api/stage/shown-to-stage.ts';
import { asShownTo, STAGE_ACCESS } from '../../../../functions/api/stage/stage-access.ts';
import { STAGE_OPERATIONS } from '../../../../functions/api/stage/stage-operations.ts';
import { STAGE_RIGHTS, type StageRights } from '../../../../functions/core/api/stage/stage-rights.ts';
import { messageRecord } from '../builders.ts';
import { shopWithEverything } from '../operations/every-operation.ts';
import { membersIn } from './schema-members.ts';

const ALL = [...OPERATIONS, ...STAGE_OPERATIONS];
const LOOKING = ['looks', 'stage', 'operates'];

/** What the authorizer says of a session of the whole stage. */
const contextOf = (stage: StageRights) => ({
  service_id: '',
  stage,
  token_id: `stg_${'a'.repeat(22)}`,
  scopes: stage === 'on-call' ? 'read write' : 'read',
});

test('for every operation it is decided what a session of the whole stage may do with it', () => {
  expect(Object.keys(STAGE_ACCESS).sort()).toEqual(ALL.map(({ id }) => id).sort());
});

test('such a session changes nothing for a partner: of what is not only read it may operate circuits and sign out', () => {
  const changing = ALL.filter(
    ({ id, method }) => method !== 'GET' && LOOKING.includes(STAGE_ACCESS[id] ?? ''),
  );
  expect(changing.map(({ id }) => id)).toEqual(['operateCircuit', 'endStageSession']);
  expect(ALL.filter(({ id, scope }) => (STAGE_ACCESS[id] === 'no token') !== (scope === 'none'))).toEqual([]);
});

test('for every member that it may get it is decided what becomes of it', () => {
  const members = new Set(
    ALL.filter(({ id }) => LOOKING.includes(STAGE_ACCESS[id] ?? '')).flatMap((operation) =>
      Object.values(descriptionOf(operation).answers).flatMap(({ schema }) =>
        schema === undefined ? [] : [...membersIn(schema)],
      ),
    ),
  );
  expect([...members].filter((name) => !(name in MEMBERS)).sort()).toEqual([]);
  expect(Object.keys(MEMBERS).filter((name) => !members.has(name))).toEqual([]);
});

test('bodies, answers of endpoints, secrets and contacts are never among what it sees', () => {
  const shown = Object.keys(MEMBERS).filter((name) => MEMBERS[name] === 'shown');
  const private_ =
    /bod(y|ies)$|response|secret|key|contact|mail|owner|header|token$|description|url|reason_text/;
  expect(shown.filter((name) => private_.test(name))).toEqual([]);
  const answer = {
    callback_url: 'https://user:word@shop.example/hooks/s3cr3t?key=s3cr3t',
    contact: 's3cr3t@shop.example',
    description: 's3cr3t',
    signing_secrets: [{ secret_id: 's3cr3t', public_key: 's3cr3t' }],
    custom_header_names: ['s3cr3t'],
    body: 's3cr3t',
    attempts: [{ attempt: 1, response_body: 's3cr3t', failure_reason: 's3cr3t' }],
    changes: [
      { changed: { contact: { from: 's3cr3t' }, callback_url: { to: 'https://shop.example/s3cr3t' } } },
    ],
    something_new: 's3cr3t',
    ...JSON.parse('{"__proto__": "s3cr3t", "constructor": "s3cr3t"}'),
  };
  expect(shownToStage(answer)).toEqual({
    callback_url: 'https://shop.example/',
    description: '',
    signing_secrets: [],
    custom_header_names: [],
    attempts: [{ attempt: 1 }],
    changes: [{ changed: { callback_url: { to: 'https://shop.example/' } } }],
  });
});

describe.each(STAGE_RIGHTS)('a session of %s', (stage) => {
  test.each(OPERATIONS.filter(({ scope }) => scope !== 'none').map((one) => [one.id, one] as const))(
    '%s answers as it was decided, and with nothing that is private',
    async (id, operation) => {
      const shop = await shopWithEverything();
      await shop.prepare(operation);
      const request = await shop.request(operation);
      const before = await shop.seen();
      const asked = { ...request, context: contextOf(stage) };

      const answer = await shop.api({ ...asked, headers: { 'payhooks-service': 'shop' } });
      if (LOOKING.includes(STAGE_ACCESS[id] ?? '')) {
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual(shownToStage(answer.body));
      } else {
        expect(answer.status).toBe(403);
        expect(await shop.seen()).toEqual(before);
      }
      const unnamed = await shop.api(asked);
      if (STAGE_ACCESS[id] === 'stage') expect(unnamed.body).toEqual(answer.body);
      if (STAGE_ACCESS[id] === 'looks') {
        expect(unnamed).toMatchObject({
          status: 400,
          body: {
            detail: expect.stringMatching(
              /^Name the service in the header "payhooks-service": 1 to 64 letters/,
            ),
          },
        });
      }
      expect(JSON.stringify(answer.body)).not.toMatch(/whsec_|whpk_|"body":|response_body|@/);
    },
  );

  test('sees only the service that it names', async () => {
    const shop = await shopWithEverything();
    const list = (service: string) =>
      shop.api({
        path: '/v1/subscriptions',
        context: contextOf(stage),
        headers: { 'payhooks-service': service },
      });
    expect((await list('shop')).body.subscriptions).toHaveLength(1);
    expect((await list('other')).body.subscriptions).toEqual([]);
    expect((await list('#operators')).status).toBe(400);
  });
});

test('what a partner sees is not touched', () => {
  const caller = { kind: 'service', service_id: 'shop', token_id: 'tok_1', scopes: ['read'] } as const;
  const answer = { status: 200, body: messageRecord() };
  expect(asShownTo(caller, answer)).toBe(answer);
});
