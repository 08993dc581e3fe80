import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { apiTokenTable } from '../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../functions/api/authorize/create-token.ts';
import { removalOf, type Scope } from '../../functions/core/api/api-token.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';

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
