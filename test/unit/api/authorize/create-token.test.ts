import { inMemoryTokens } from '../../../../functions/api/authorize/api-token-store.ts';
import { createToken } from '../../../../functions/api/authorize/create-token.ts';
import { tokenHash, tokenIdOf } from '../../../../functions/core/api/api-token.ts';

const nowMs = Date.parse('2026-01-01T00:00:00.500Z');

test('a token is kept as its hash, and is not in what is kept', async () => {
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

test('a token that expires says in which second, and stays on record for 40 days more, longer than any backup', async () => {
  const { record } = await createToken(inMemoryTokens(), { serviceId: 'shop', expiresInDays: 30 }, nowMs);
  expect(record).toMatchObject({
    expires_at_epoch_seconds: 1_769_817_600,
    remove_at_epoch_seconds: 1_769_817_600 + 3_456_000,
  });
});

test('a token has the scopes and the limit that were asked for', async () => {
  const signalKind = { serviceId: 'shop', scopes: ['read'], requestsPerMinute: 60_000 } as const;
  const { record } = await createToken(inMemoryTokens(), signalKind);
  expect(record).toMatchObject({ scopes: ['read'], requests_per_minute: 60_000 });
});

test('two tokens are never the same', async () => {
  const store = inMemoryTokens();
  const [first, second] = [
    await createToken(store, { serviceId: 'a' }),
    await createToken(store, { serviceId: 'a' }),
  ];
  expect(first.token).not.toBe(second.token);
});

test('a service id that no event could have gets no token', async () => {
  await expect(createToken(inMemoryTokens(), { serviceId: 'shop/1' })).rejects.toThrow('must be 1 to 64');
});
