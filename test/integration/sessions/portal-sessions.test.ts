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

const SUBSCRIPTION = { callback_url: 'http://127.0.0.1:1/hooks', event_types: ['*'], live: false };
const MINUTE_MS = 60_000;
const REFUSED = { status: 422, body: { type: 'urn:payhooks:problem:portal-code-refused' } };

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

test('a code is exchanged once for a token that reads, and is refused from then on', async () => {
  const { id, code } = await made();

  const first = await exchange(code);
  expect(first).toMatchObject({
    status: 200,
    body: { session_id: id, service_id: service.serviceId, rights: 'read' },
  });
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.headers.get('set-cookie')).toBeNull();
  const { token } = first.body;
  expect((await call('GET', '/subscriptions', token)).status).toBe(200);
  expect((await call('POST', '/subscriptions', token, SUBSCRIPTION)).status).toBe(403);
  expect(await exchange(code)).toMatchObject(REFUSED);
});

test('of ten exchanges at a time one gets the session', async () => {
  const { code } = await made();
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
});

test('expired, revoked and unknown codes get the same answer, and so does one whose token was revoked', async () => {
  const revoked = await made();
  await call('DELETE', `/portal-sessions/${revoked.id}`, service.token);
  const maker = await tokenWith(['read']);
  const orphaned = await made({}, maker.token);
  await maker.revoke();

  const answers = [
    await exchange(await madeAgo(10 * MINUTE_MS)),
    await exchange(revoked.code),
    await exchange(orphaned.code),
    await exchange(`phc_${'a'.repeat(43)}`),
  ];
  const said = answers.map(({ status, body: { request_id: _, ...body } }) => ({ status, body }));
  expect(said[0]).toMatchObject(REFUSED);
  expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
  expect((await exchange(await madeAgo(9 * MINUTE_MS))).status).toBe(200);
});

test('a session has no more rights than the token that makes it, and makes no further session', async () => {
  const { token } = await tokenWith(['read']);
  expect((await call('POST', '/portal-sessions', token, { rights: 'manage' })).status).toBe(403);
  expect((await call('POST', '/portal-sessions', token, {})).status).toBe(201);

  const manager = await signedIn({ rights: 'manage' });
  expect((await call('POST', '/subscriptions', manager.token, SUBSCRIPTION)).status).toBe(201);
  expect(await call('POST', '/portal-sessions', manager.token, {})).toMatchObject({
    status: 403,
    body: { type: 'urn:payhooks:problem:token-limited' },
  });
});

test('a session that is limited to a subscription sees nothing of the others', async () => {
  const [mine, other] = [
    await service.subscribe(SUBSCRIPTION.callback_url),
    await service.subscribe(SUBSCRIPTION.callback_url),
  ];
  const { token } = await signedIn({ rights: 'manage', subscriptions: [mine.id] });

  const listed = (await call('GET', '/subscriptions', token)).body.subscriptions;
  expect(listed.map(({ subscription_id }: { subscription_id: string }) => subscription_id)).toEqual([
    mine.id,
  ]);
  expect((await call('GET', `/subscriptions/${mine.id}`, token)).status).toBe(200);
  expect((await call('GET', `/subscriptions/${other.id}`, token)).status).toBe(404);
  expect((await call('POST', `/subscriptions/${other.id}/pause`, token)).status).toBe(404);
  expect((await call('POST', `/subscriptions/${mine.id}/pause`, token)).status).toBe(200);
  expect((await call('POST', '/subscriptions', token, SUBSCRIPTION)).status).toBe(403);
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

test('who made, used and ended a session is in the trail, without its code or token', async () => {
  const { id, token } = await signedIn({ rights: 'manage' });
  await call('POST', '/subscriptions', token, SUBSCRIPTION);
  await call('DELETE', `/portal-sessions/${id}`, token);

  const { changes } = (await service.call('GET', '/changes')).body;
  expect(changes).toMatchObject([
    { operation: 'revokePortalSession', token_id: id, changed: { portal_session: { from: id } } },
    { operation: 'createSubscription', token_id: id },
    { operation: 'exchangePortalSession', token_id: id },
    { operation: 'createPortalSession', token_id: expect.stringMatching(/^tok_/) },
  ]);
  expect(JSON.stringify(changes)).not.toMatch(/ph[cs]_/);
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
