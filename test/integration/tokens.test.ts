import { randomUUID } from 'node:crypto';
import { apiTokenTable } from '../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken, type TokenOptions } from '../../functions/api/authorize/create-token.ts';
import { removalOf } from '../../functions/core/api/api-token.ts';
import type { ApiTokenStore } from '../../functions/core/api/api-token-store.ts';
import { stack } from '../support/deployed/shared-stack.ts';

let tokens: ApiTokenStore;
let serviceId: string;

beforeAll(async () => {
  tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
});
beforeEach(() => {
  serviceId = `svc-${randomUUID()}`;
});

function newToken(options: Partial<TokenOptions> = {}) {
  return createToken(tokens, { serviceId, description: 'integration test', ...options });
}

function call(token: string, method = 'GET', body?: object) {
  return stack.request(method, '/subscriptions', { token, body });
}

test('a revoked token fails on the next request; others of the service keep working', async () => {
  const { token, record } = await newToken();
  const { token: other } = await newToken();
  expect((await call(token)).status).toBe(200);

  const revoked_at = new Date().toISOString();
  await tokens.revoke(record.token_hash, { revoked_at, remove_at_epoch_seconds: removalOf(Date.now()) });

  expect(await call(token)).toMatchObject({
    status: 401,
    body: { detail: expect.stringContaining('revoked') },
  });
  expect((await call(other)).status).toBe(200);
});

test('a token over its rate limit is told when to retry; others of the service keep working', async () => {
  const { token } = await newToken({ requestsPerMinute: 5 });
  const { token: other } = await newToken();

  const answers = await Promise.all(Array.from({ length: 12 }, () => call(token)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(7);
  for (const { headers, body } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({ type: 'urn:payhooks:problem:too-many-requests', status: 429 });
  }
  expect((await call(other)).status).toBe(200);
});
