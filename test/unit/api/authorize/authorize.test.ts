import { inMemoryTokens } from '../../../../functions/api/authorize/api-token-store.ts';
import { type AuthorizePorts, authorize } from '../../../../functions/api/authorize/authorize.ts';
import { createToken } from '../../../../functions/api/authorize/create-token.ts';
import { tokenIdOf } from '../../../../functions/core/api/api-token.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');
const TOKEN = 'phk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

/** The ports, in memory and at ten o'clock; `uncounted` lists what was let pass without being counted. */
function ports(over: Partial<AuthorizePorts['tokens']> = {}) {
  const store = inMemoryTokens();
  const uncounted: unknown[] = [];
  return {
    store,
    uncounted,
    ports: {
      tokens: { ...store, ...over },
      now: () => TEN,
      uncounted: (tokenId: string, fieldError?: unknown) => uncounted.push([tokenId, fieldError]),
    },
  };
}

test('a token that was made for a service names that service and what it may do', async () => {
  const world = ports();
  const { token, record } = await createToken(world.store, { serviceId: 'shop', scopes: ['read'] });

  expect(await authorize(`Bearer ${token}`, world.ports)).toEqual({
    isAuthorized: true,
    context: { service_id: 'shop', token_id: tokenIdOf(record.token_hash), scopes: 'read' },
  });
});

test.each([
  [undefined, 'missing'],
  ['Basic c2hvcDpzZWNyZXQ=', 'malformed'],
  [`Bearer ${TOKEN}`, 'unknown'],
])('whoever sends %j is handed on as nobody: %s', async (authorization, refusal) => {
  expect(await authorize(authorization, ports().ports)).toEqual({
    isAuthorized: true,
    context: { service_id: '', refusal },
  });
});

test('a token that has expired names nobody', async () => {
  const world = ports();
  const signalKind = { serviceId: 'shop', expiresInDays: 1 };
  const { token } = await createToken(world.store, signalKind, TEN - 86_400_000);

  expect(await authorize(`Bearer ${token}`, world.ports)).toMatchObject({
    context: { service_id: '', refusal: 'expired' },
  });
});

test('a token that was revoked names nobody with the next request', async () => {
  const world = ports();
  const { token, record } = await createToken(world.store, { serviceId: 'shop' });
  expect(await authorize(`Bearer ${token}`, world.ports)).toMatchObject({ context: { service_id: 'shop' } });

  await world.store.revoke(record.token_hash, { revoked_at: 'now', remove_at_epoch_seconds: 1 });

  expect(await authorize(`Bearer ${token}`, world.ports)).toMatchObject({
    context: { service_id: '', refusal: 'revoked' },
  });
});

test('what is no token is not looked up', async () => {
  const world = ports({ find: () => Promise.reject(new Error('looked up')) });
  await expect(authorize('Bearer nonsense', world.ports)).resolves.toMatchObject({
    context: { refusal: 'malformed' },
  });
});

test('when tokens cannot be looked up nobody is let in', async () => {
  const world = ports({ find: () => Promise.reject(new Error('no table')) });
  await expect(authorize(`Bearer ${TOKEN}`, world.ports)).rejects.toThrow('no table');
});
