import { randomUUID } from 'node:crypto';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { portalSessionTable } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { removalOf, type Scope } from '../../../functions/core/api/api-token.ts';
import { codeOf } from '../../../functions/core/api/portal/portal-secrets.ts';
import { newPortalSession } from '../../../functions/core/api/portal/portal-session.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';

function call(method: string, path: string, token: string | undefined, body?: unknown) {
  return stack.request(method, path, { token, body });
}

const exchange = (code: string) => call('POST', '/portal-sessions/exchange', undefined, { code });

/** A new session, and the code in its link. */
async function made(wanted: object = {}, token = service.token): Promise<{ id: string; code: string }> {
  const { status, body } = await call('POST', '/portal-sessions', token, wanted);
  expect({ status, body }).toMatchObject({ status: 201 });
  return { id: body.session_id, code: body.console_path.split('#code=')[1] };
}

async function signedIn(wanted: object = {}, token = service.token) {
  const { id, code } = await made(wanted, token);
  const { body } = await exchange(code);
  return { id, token: body.token as string };
}

async function tokenWith(scopes: readonly Scope[]) {
  const tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
  const { token, record } = await createToken(tokens, { serviceId: service.serviceId, scopes });
  const revoke = () =>
    tokens.revoke(record.token_hash, {
      revoked_at: new Date().toISOString(),
      remove_at_epoch_seconds: removalOf(Date.now()),
    });
  return { token, revoke };
}

/** A session whose link was made so long ago, with its code. */
async function madeAgo(ms: number): Promise<string> {
  const code = codeOf(Buffer.from(randomUUID().replaceAll('-', '')));
  const wanted = { service_id: service.serviceId, rights: 'read', lastsSeconds: 3_600 } as const;
  const session = newPortalSession(wanted, code, undefined, Date.now() - ms);
  await portalSessionTable(stack.dynamodb, stack.outputs.tables.apiTokens).add(session);
  return code;
}

test('of ten exchanges at a time one gets the session', async () => {
  const { code } = await made();
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
});

test('a session ends at once when it is revoked, and when its token is', async () => {
  const session = await signedIn();
  expect((await call('DELETE', `/portal-sessions/${session.id}`, service.token)).status).toBe(204);
  expect(await call('GET', '/subscriptions', session.token)).toMatchObject({
    status: 401,
    body: { detail: 'This API token has been revoked.' },
  });

  const maker = await tokenWith(['read']);
  const orphaned = await signedIn({}, maker.token);
  expect((await call('GET', '/subscriptions', orphaned.token)).status).toBe(200);
  await maker.revoke();
  expect((await call('GET', '/subscriptions', orphaned.token)).status).toBe(401);
});

test('open sessions are listed, and are invisible to other services', async () => {
  const [waiting, used] = [await made(), await signedIn({ rights: 'manage' })];
  const { id: ended } = await signedIn();
  await call('DELETE', `/portal-sessions/${ended}`, service.token);

  const listed = await eventually('both sessions in the index', async () => {
    const { body } = await call('GET', '/portal-sessions', service.token);
    return body.portal_sessions.length === 2 && body.portal_sessions;
  });
  expect(listed).toMatchObject([
    { session_id: used.id, rights: 'manage', exchanged_at: expect.any(String) },
    { session_id: waiting.id, rights: 'read' },
  ]);
  expect(listed[1]).not.toHaveProperty('exchanged_at');

  const other = await stack.newService();
  expect((await call('GET', '/portal-sessions', other.token)).body).toEqual({ portal_sessions: [] });
  expect((await call('DELETE', `/portal-sessions/${used.id}`, other.token)).status).toBe(404);
  expect((await call('GET', '/subscriptions', used.token)).status).toBe(200);
  const tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
  expect(await tokens.ofService(service.serviceId)).toHaveLength(1);
});

test('no table contains a code or a token', async () => {
  const { id, code } = await made();
  const { body } = await exchange(code);
  const { apiTokens, audit, idempotency } = stack.outputs.tables;
  const texts: string[] = [];
  for (const TableName of [apiTokens, audit, idempotency]) {
    for await (const { Items = [] } of paginateScan({ client: stack.dynamodb }, { TableName })) {
      texts.push(...Items.map((item) => JSON.stringify(unmarshall(item))));
    }
  }
  expect(texts.some((text) => text.includes(id))).toBe(true);
  const secrets = [code, body.token, code.slice(4), body.token.slice(-43)];
  expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});

test("an operator's session needs no token of the service, is shown as an operator's, and can be ended by it", async () => {
  const code = await madeAgo(0);
  const { token, session_id } = (await exchange(code)).body;
  expect((await call('GET', '/subscriptions', token)).status).toBe(200);

  const listed = await eventually('the session in the index', async () => {
    const { body } = await call('GET', '/portal-sessions', service.token);
    return body.portal_sessions.length === 1 && body.portal_sessions;
  });
  expect(listed).toMatchObject([{ session_id, actor: 'operator' }]);
  expect((await call('DELETE', `/portal-sessions/${session_id}`, service.token)).status).toBe(204);
  expect((await call('GET', '/subscriptions', token)).status).toBe(401);
});
