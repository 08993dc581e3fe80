import { type AuthorizePorts, authorize } from '../../../../../functions/api/authorize/authorize.ts';
import { createToken, type TokenOptions } from '../../../../../functions/api/authorize/create-token.ts';
import { inMemoryTokens } from '../../../../../functions/core/api/api-token-store.ts';
import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { inMemoryPortalSessions } from '../../../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryStageSessions } from '../../../../../functions/core/api/stage/stage-session-store.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, newSubscription } from '../../builders.ts';
import { codeIn } from '../every-operation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The API with its authorizer before it, and a token of the service `shop`. */
async function world(options: Partial<TokenOptions> = {}) {
  let nowMs = TEN_O_CLOCK_MS;
  let requests = 0;
  const tokens = inMemoryTokens();
  const sessions = inMemoryPortalSessions(tokens.find);
  const audit = inMemoryAuditTrail();
  const api = apiOver({
    portalSessions: sessions,
    audit,
    now: () => nowMs,
  });
  const ports: AuthorizePorts = {
    tokens,
    sessions,
    stageSessions: inMemoryStageSessions(),
    now: () => nowMs,
    uncounted: () => {},
  };
  const { token, record } = await createToken(tokens, { serviceId: 'shop', ...options }, nowMs);

  /** @param bearer undefined: no token */
  async function call(method: string, path: string, body?: unknown, bearer: string | undefined = token) {
    const { context } = await authorize(bearer === '' ? undefined : `Bearer ${bearer}`, ports);
    requests += 1;
    return api({ method, path: `/v1${path}`, body, context: { ...context }, requestId: `req_${requests}` });
  }
  const post = (path: string, body: object, bearer?: string) => call('POST', path, body, bearer);
  return {
    tokens,
    audit,
    record,
    call,
    after: (ms: number) => {
      nowMs += ms;
    },
    link: async (wanted: object = {}) => codeIn((await post('/portal-sessions', wanted)).body.console_path),
    exchange: (code: string) => post('/portal-sessions/exchange', { code }, ''),
  };
}

/** A session with these wishes, its token, and calls with it. */
async function signedIn(wanted: object = {}, options: Partial<TokenOptions> = {}) {
  const one = await world(options);
  const { body } = await one.exchange(await one.link(wanted));
  return {
    ...one,
    session: body,
    as: (method: string, path: string, sent?: unknown) => one.call(method, path, sent, body.token),
  };
}

const REFUSED = { status: 422, body: { type: 'urn:payhooks:problem:portal-code-refused' } };

test('a link is shown once, and its code is exchanged for a token that reads', async () => {
  const { call, exchange } = await world();

  const made = await call('POST', '/portal-sessions', {});
  expect(made).toMatchObject({
    status: 201,
    body: {
      session_id: expect.stringMatching(/^ses_[\w-]{22}$/),
      rights: 'read',
      token_id: expect.stringMatching(/^tok_/),
      link_expires_at: '2026-11-14T10:10:00.000Z',
      expires_at: '2026-11-14T18:00:00.000Z',
      console_path: expect.stringMatching(/^\/v1\/console#code=phc_[\w-]{43}$/),
    },
  });

  const exchanged = await exchange(codeIn(made.body.console_path));
  expect(exchanged).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      session_id: made.body.session_id,
      service_id: 'shop',
      rights: 'read',
      expires_at: '2026-11-14T18:00:00.000Z',
      token: expect.stringMatching(/^phs_[\w-]{65}$/),
    },
  });
  expect(exchanged.headers).not.toHaveProperty('set-cookie');
  const { token } = exchanged.body;
  expect(await call('GET', '/subscriptions', undefined, token)).toMatchObject({ status: 200 });
  expect(await call('POST', '/subscriptions', newSubscription, token)).toMatchObject({ status: 403 });
});

test('a second use, an expired, a revoked and an unknown code get the same answer, and so does a code whose token was revoked', async () => {
  const used = await world();
  const code = await used.link();
  await used.exchange(code);

  const expired = await world();
  const late = await expired.link();
  expired.after(10 * MINUTE_MS);

  const revoked = await world();
  const { session_id, console_path } = (await revoked.call('POST', '/portal-sessions', {})).body;
  await revoked.call('DELETE', `/portal-sessions/${session_id}`);

  const orphaned = await world();
  const orphan = await orphaned.link();
  await orphaned.tokens.revoke(orphaned.record.token_hash, { revoked_at: 'now', remove_at_epoch_seconds: 1 });

  const answers = [
    await used.exchange(code),
    await expired.exchange(late),
    await revoked.exchange(codeIn(console_path)),
    await orphaned.exchange(orphan),
    await used.exchange('phc_'),
    await used.exchange(`phc_${'a'.repeat(43)}`),
  ];
  expect(answers[0]).toMatchObject(REFUSED);
  const said = answers.map((answer) => JSON.stringify(answer).replaceAll(/req_\d+/g, 'req'));
  expect(new Set(said).size).toBe(1);
});

test('a link works until the last second of its ten minutes', async () => {
  const { link, exchange, after } = await world();
  const code = await link();
  after(10 * MINUTE_MS - 1);
  expect((await exchange(code)).status).toBe(200);
});

test('the link of a short session works no longer than that, and whoever is late is not told otherwise', async () => {
  const { link, exchange, after } = await world();
  const code = await link({ lasts_seconds: 300 });
  after(5 * MINUTE_MS);
  expect(await exchange(code)).toMatchObject({
    ...REFUSED,
    body: { detail: expect.stringContaining('for 10 minutes at most') },
  });
});

test('of several exchanges at a time one gets the session', async () => {
  const { link, exchange } = await world();
  const code = await link();
  const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
});

test('a session never has more rights than the token that makes it', async () => {
  const reader = await world({ scopes: ['read'] });
  expect(await reader.call('POST', '/portal-sessions', { rights: 'manage' })).toMatchObject({
    status: 403,
    body: { type: 'urn:payhooks:problem:insufficient-scope', detail: expect.stringContaining('"write"') },
  });
  expect((await reader.call('POST', '/portal-sessions', {})).status).toBe(201);
  const writer = await world({ scopes: ['write'] });
  expect((await writer.call('POST', '/portal-sessions', {})).status).toBe(403);
});

test('a session with the right to manage changes things, but makes no further session', async () => {
  const { as } = await signedIn({ rights: 'manage' });
  expect(await as('POST', '/subscriptions', newSubscription)).toMatchObject({ status: 201 });
  expect(await as('POST', '/portal-sessions', {})).toMatchObject({
    status: 403,
    body: { type: 'urn:payhooks:problem:token-limited' },
  });
});

test('a session ends when it expires, when it is revoked, and when its token is revoked', async () => {
  const expired = await signedIn({ lasts_seconds: 3_600 });
  expired.after(HOUR_MS - 1);
  expect((await expired.as('GET', '/subscriptions')).status).toBe(200);
  expired.after(1);
  expect(await expired.as('GET', '/subscriptions')).toMatchObject({
    status: 401,
    body: { detail: 'This API token has expired.' },
  });

  const revoked = await signedIn();
  await revoked.call('DELETE', `/portal-sessions/${revoked.session.session_id}`);
  expect(await revoked.as('GET', '/subscriptions')).toMatchObject({
    status: 401,
    body: { detail: 'This API token has been revoked.' },
  });

  const orphaned = await signedIn();
  await orphaned.tokens.revoke(orphaned.record.token_hash, { revoked_at: 'now', remove_at_epoch_seconds: 1 });
  expect((await orphaned.as('GET', '/subscriptions')).status).toBe(401);
});

test('a session does not outlive the token that makes it', async () => {
  const { session } = await signedIn({ lasts_seconds: 43_200 }, { expiresInDays: 1 / 24 });
  expect(session.expires_at).toBe('2026-11-14T11:00:00.000Z');
});

test('a token of the right form that is not the one of the session is unknown', async () => {
  const { session, call } = await signedIn();
  const forged = `${session.token.slice(0, 26)}${'A'.repeat(43)}`;
  expect(await call('GET', '/subscriptions', undefined, forged)).toMatchObject({
    status: 401,
    body: { detail: 'This API token does not exist.' },
  });
  expect((await call('GET', '/subscriptions', undefined, `phs_${'a'.repeat(65)}`)).status).toBe(401);
});

test('nobody signs in with a link that was not opened', async () => {
  const { link, call } = await world();
  const code = await link();
  expect((await call('GET', '/subscriptions', undefined, code)).status).toBe(401);
});

test('requests of sessions count as those of the token that made them', async () => {
  const { as, call } = await signedIn({}, { requestsPerMinute: 4 });
  // The link was the first.
  expect((await as('GET', '/subscriptions')).status).toBe(200);
  expect((await call('GET', '/subscriptions')).status).toBe(200);
  expect((await as('GET', '/subscriptions')).status).toBe(200);
  expect((await as('GET', '/subscriptions')).status).toBe(429);
  expect((await call('GET', '/subscriptions')).status).toBe(429);
});

test('open sessions are listed newest first, with who made them and whether they were used', async () => {
  const { link, exchange, call, after, record } = await world();
  await link();
  after(9 * MINUTE_MS);
  await exchange(await link({ rights: 'manage' }));
  after(MINUTE_MS);

  const { body } = await call('GET', '/portal-sessions');
  expect(body.portal_sessions).toEqual([
    {
      session_id: expect.stringMatching(/^ses_/),
      rights: 'manage',
      token_id: record.token_id,
      created_at: '2026-11-14T10:09:00.000Z',
      link_expires_at: '2026-11-14T10:19:00.000Z',
      expires_at: '2026-11-14T18:09:00.000Z',
      exchanged_at: '2026-11-14T10:09:00.000Z',
    },
  ]);
});

test('sessions whose token was revoked are not open', async () => {
  const { link, call, tokens, record } = await world();
  const { token } = await createToken(tokens, { serviceId: 'shop' }, TEN_O_CLOCK_MS);
  await link();
  await tokens.revoke(record.token_hash, { revoked_at: 'now', remove_at_epoch_seconds: 1 });
  expect((await call('GET', '/portal-sessions', undefined, token)).body).toEqual({ portal_sessions: [] });
});

test('only tokens with both scopes list and end sessions; a session sees and ends itself', async () => {
  const { call, link, as, session, tokens } = await signedIn({ rights: 'manage' });
  const others = (await call('POST', '/portal-sessions', {})).body.session_id;
  await link();
  const { token: reader } = await createToken(
    tokens,
    { serviceId: 'shop', scopes: ['read'] },
    TEN_O_CLOCK_MS,
  );
  expect((await call('GET', '/portal-sessions', undefined, reader)).status).toBe(403);
  expect((await call('DELETE', `/portal-sessions/${others}`, undefined, reader)).status).toBe(403);

  const seen = (await as('GET', '/portal-sessions')).body.portal_sessions;
  expect(seen.map(({ session_id }: { session_id: string }) => session_id)).toEqual([session.session_id]);
  expect((await as('DELETE', `/portal-sessions/${others}`)).status).toBe(404);
  expect((await as('DELETE', `/portal-sessions/${session.session_id}`)).status).toBe(204);
  expect((await as('GET', '/subscriptions')).status).toBe(401);
});

test('whoever may only read signs out all the same', async () => {
  const { as, session } = await signedIn();
  expect((await as('DELETE', '/portal-sessions/ses_aaaaaaaaaaaaaaaaaaaaaa')).status).toBe(403);
  expect((await as('DELETE', `/portal-sessions/${session.session_id}`)).status).toBe(204);
  expect((await as('GET', '/subscriptions')).status).toBe(401);
});

test('a session that has ended can be ended again, with one entry in the trail', async () => {
  const { call, session, audit } = await signedIn();
  for (const _ of [1, 2]) {
    expect((await call('DELETE', `/portal-sessions/${session.session_id}`)).status).toBe(204);
  }
  expect(audit.entries.filter(({ operation }) => operation === 'revokePortalSession')).toHaveLength(1);
});

test('a service can make 500 sessions in twelve hours', async () => {
  const { call, after } = await world({ requestsPerMinute: 1_000 });
  for (let count = 0; count < 500; count += 1) {
    expect((await call('POST', '/portal-sessions', {})).status).toBe(201);
  }
  expect(await call('POST', '/portal-sessions', {})).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:too-many-portal-sessions' },
  });
  after(12 * HOUR_MS + 1);
  expect((await call('POST', '/portal-sessions', {})).status).toBe(201);
});

test('without a known token no session is made', async () => {
  const context = { service_id: 'shop', token_id: 'tok_1', scopes: 'read write' };
  const answer = await apiOver()({ method: 'POST', path: '/v1/portal-sessions', body: {}, context });
  expect(answer).toMatchObject({ status: 503, body: { type: 'urn:payhooks:problem:not-taken' } });
});

test('only the exchange answers without a token', async () => {
  const { call } = await world();
  expect((await call('POST', '/portal-sessions', {}, '')).status).toBe(401);
  expect((await call('GET', '/portal-sessions/exchange', undefined, '')).status).toBe(401);
  expect((await call('DELETE', '/portal-sessions/exchange')).status).toBe(405);
});
