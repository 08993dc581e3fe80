import { createToken } from '../../../../functions/api/authorize/create-token.ts';
import { tokenHash, tokenIdOf } from '../../../../functions/core/api/api-token.ts';
import { inMemoryTokens } from '../../../../functions/core/api/api-token-store.ts';

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

test('an expiring token stays on record for 40 days after it expired, longer than any backup', async () => {
  const { record } = await createToken(inMemoryTokens(), { serviceId: 'shop', expiresInDays: 30 }, nowMs);
  expect(record).toMatchObject({
    expires_at_epoch_seconds: 1_769_817_600,
    remove_at_epoch_seconds: 1_769_817_600 + 3_456_000,
  });
});

test('a token has the scopes and the limit it was created with', async () => {
  const options = { serviceId: 'shop', scopes: ['read'], requestsPerMinute: 60_000 } as const;
  const { record } = await createToken(inMemoryTokens(), options);
  expect(record).toMatchObject({ scopes: ['read'], requests_per_minute: 60_000 });
});

test('no two tokens are the same', async () => {
  const store = inMemoryTokens();
  const [first, second] = [
    await createToken(store, { serviceId: 'a' }),
    await createToken(store, { serviceId: 'a' }),
  ];
  expect(first.token).not.toBe(second.token);
});

test('a service id that no event can have gets no token', async () => {
  await expect(createToken(inMemoryTokens(), { serviceId: 'shop/1' })).rejects.toThrow('must be 1 to 64');
});
