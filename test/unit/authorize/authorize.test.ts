import { inMemoryTokens } from '../../../functions/authorize/api-token-store.ts';
import { authorize } from '../../../functions/authorize/authorize.ts';
import { createToken } from '../../../functions/authorize/create-token.ts';

const now = () => Date.parse('2026-01-01T00:00:00Z');

test('a token that was made for a service names that service', async () => {
  const tokens = inMemoryTokens();
  const { token } = await createToken(tokens, { serviceId: 'shop' });

  expect(await authorize(`Bearer ${token}`, { tokens, now })).toEqual({
    isAuthorized: true,
    context: { service_id: 'shop' },
  });
});

test.each([
  [undefined, 'missing'],
  ['Basic c2hvcDpzZWNyZXQ=', 'malformed'],
  ['Bearer phk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8', 'unknown'],
])('whoever sends %j is handed on as nobody: %s', async (authorization, refusal) => {
  expect(await authorize(authorization, { tokens: inMemoryTokens(), now })).toEqual({
    isAuthorized: true,
    context: { service_id: '', refusal },
  });
});

test('a token that has expired names nobody', async () => {
  const tokens = inMemoryTokens();
  const { token } = await createToken(tokens, { serviceId: 'shop', expiresInDays: 1 }, now() - 86_400_000);

  expect(await authorize(`Bearer ${token}`, { tokens, now })).toEqual({
    isAuthorized: true,
    context: { service_id: '', refusal: 'expired' },
  });
});

test('what is no token is not looked up', async () => {
  const tokens = { find: () => Promise.reject(new Error('looked up')) };
  await expect(authorize('Bearer nonsense', { tokens, now })).resolves.toMatchObject({
    context: { refusal: 'malformed' },
  });
});

test('when tokens cannot be looked up nobody is let in', async () => {
  const tokens = { find: () => Promise.reject(new Error('no table')) };
  const authorization = 'Bearer phk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
  await expect(authorize(authorization, { tokens, now })).rejects.toThrow('no table');
});
