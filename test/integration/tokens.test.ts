import { randomUUID } from 'node:crypto';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { apiTokenTable } from '../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken, type TokenOptions } from '../../functions/api/authorize/create-token.ts';
import { removalOf } from '../../functions/core/api/api-token.ts';
import type { ApiTokenStore } from '../../functions/core/api/api-token-store.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';

const DAY_MS = 86_400_000;

let tokens: ApiTokenStore;
let serviceId: string;

beforeAll(async () => {
  tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
});
beforeEach(() => {
  serviceId = `svc-${randomUUID()}`;
});

function newToken(options: Partial<TokenOptions> = {}, nowMs = Date.now()) {
  return createToken(tokens, { serviceId, description: 'integration test', ...options }, nowMs);
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

test('the tokens of a service are listed with their last use', async () => {
  const [first, second] = [await newToken({}, Date.now() - DAY_MS), await newToken()];
  const from = Date.now();
  await call(second.token);

  const listed = await eventually('both tokens in the index', async () => {
    const all = await tokens.ofService(serviceId);
    return all.length === 2 && all;
  });
  expect(listed.map(({ token_id }) => token_id)).toEqual([first.record.token_id, second.record.token_id]);
  expect(listed[0]).not.toHaveProperty('last_used_at');
  const usedAt = Date.parse(listed[1]?.last_used_at ?? '');
  expect(usedAt).toBeGreaterThanOrEqual(from - 1_000);
  expect(usedAt).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('the table contains no token', async () => {
  const { token, record } = await newToken();
  await call(token);

  const texts: string[] = [];
  const TableName = stack.outputs.tables.apiTokens;
  for await (const { Items = [] } of paginateScan({ client: stack.dynamodb }, { TableName })) {
    texts.push(...Items.map((item) => JSON.stringify(unmarshall(item))));
  }
  expect(texts.some((text) => text.includes(record.token_id))).toBe(true);
  expect(texts.filter((text) => text.includes('phk_'))).toEqual([]);
});
