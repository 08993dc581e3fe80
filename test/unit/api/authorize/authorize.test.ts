import { type AuthorizePorts, authorize } from '../../../../functions/api/authorize/authorize.ts';
import { createToken } from '../../../../functions/api/authorize/create-token.ts';
import { tokenHash, tokenIdOf } from '../../../../functions/core/api/api-token.ts';
import { inMemoryTokens } from '../../../../functions/core/api/api-token-store.ts';
import { inMemoryPortalSessions } from '../../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryStageSessions } from '../../../../functions/core/api/stage/stage-session-store.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');
const TOKEN = 'phk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

/**
 * The ports, in memory and at ten o'clock; `uncounted` lists the requests that passed without being counted.
 */
function ports(over: Partial<AuthorizePorts['tokens']> = {}) {
  const store = inMemoryTokens();
  const uncounted: unknown[] = [];
  return {
    store,
    uncounted,
    ports: {
      tokens: { ...store, ...over },
      sessions: inMemoryPortalSessions(),
      stageSessions: inMemoryStageSessions(),
      now: () => TEN,
      uncounted: (tokenId: string, error?: unknown) => uncounted.push([tokenId, error]),
    },
  };
}

test('a token identifies its service and scopes', async () => {
  const world = ports();
  const { token, record } = await createToken(world.store, { serviceId: 'shop', scopes: ['read'] });

  expect(await authorize(`Bearer ${token}`, world.ports)).toEqual({
    isAuthorized: true,
    context: {
      service_id: 'shop',
      token_id: tokenIdOf(record.token_hash),
      token_hash: record.token_hash,
      scopes: 'read',
    },
  });
});

test.each([
  [undefined, 'missing'],
  ['Basic c2hvcDpzZWNyZXQ=', 'malformed'],
  [`Bearer ${TOKEN}`, 'unknown'],
])('the header %j identifies no service: %s', async (authorization, refusal) => {
  expect(await authorize(authorization, ports().ports)).toEqual({
    isAuthorized: true,
    context: { service_id: '', refusal },
  });
});

test('a revoked token stops working with the next request', async () => {
  const world = ports();
  const { token, record } = await createToken(world.store, { serviceId: 'shop' });
  expect(await authorize(`Bearer ${token}`, world.ports)).toMatchObject({ context: { service_id: 'shop' } });

  await world.store.revoke(record.token_hash, { revoked_at: 'now', remove_at_epoch_seconds: 1 });

  expect(await authorize(`Bearer ${token}`, world.ports)).toMatchObject({
    context: { service_id: '', refusal: 'revoked' },
  });
});

test('a malformed token is not looked up', async () => {
  const world = ports({ find: () => Promise.reject(new Error('looked up')) });
  await expect(authorize('Bearer nonsense', world.ports)).resolves.toMatchObject({
    context: { refusal: 'malformed' },
  });
});

test('if the look-up fails, so does the authorizer: nobody gets in', async () => {
  const world = ports({ find: () => Promise.reject(new Error('no table')) });
  await expect(authorize(`Bearer ${TOKEN}`, world.ports)).rejects.toThrow('no table');
});

const nowMs = Date.parse('2026-01-01T00:00:00.500Z');

test('only the hash of a token is stored', async () => {
  const store = inMemoryTokens();

  const { token, record } = await createToken(store, { serviceId: 'shop', description: 'ci' }, nowMs);

  expect(record).toEqual({
    token_hash: tokenHash(token),
    token_id: tokenIdOf(tokenHash(token)),
    service_id: 'shop',
    description: 'ci',
    scopes: ['read', 'write'],
    requests_per_minute: 600,
    created_at: '2026-01-01T00:00:00.500Z',
  });
  expect(await store.find(tokenHash(token))).toEqual(record);
});

test('a service id that no event can have gets no token', async () => {
  await expect(createToken(inMemoryTokens(), { serviceId: 'shop/1' })).rejects.toThrow('must be 1 to 64');
});
