import { ApiGatewayV2Client, GetApisCommand, GetRoutesCommand } from '@aws-sdk/client-apigatewayv2';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

/** What a token needs for a route; `both` scopes, no token at all, or to be one of the whole `stage`. */
type Needs = 'read' | 'write' | 'both' | 'nothing' | 'stage';

/** Each route: method, path, what its token needs, and whether it reads a body. */
const ROUTES: readonly (readonly [string, string, Needs, 'reads a body'?])[] = [
  ['POST', '/v1/subscriptions', 'write', 'reads a body'],
  ['GET', '/v1/subscriptions', 'read'],
  ['GET', '/v1/subscriptions/{subscription_id}', 'read'],
  ['PATCH', '/v1/subscriptions/{subscription_id}', 'write', 'reads a body'],
  ['DELETE', '/v1/subscriptions/{subscription_id}', 'write'],
  ['POST', '/v1/subscriptions/{subscription_id}/pause', 'write'],
  ['POST', '/v1/subscriptions/{subscription_id}/enable', 'write'],
  ['POST', '/v1/subscriptions/{subscription_id}/ping', 'write'],
  ['POST', '/v1/subscriptions/{subscription_id}/secrets', 'write', 'reads a body'],
  ['DELETE', '/v1/subscriptions/{subscription_id}/secrets/{secret_id}', 'write'],
  ['GET', '/v1/subscriptions/{subscription_id}/messages', 'read'],
  ['GET', '/v1/subscriptions/{subscription_id}/statistics', 'read'],
  ['POST', '/v1/subscriptions/{subscription_id}/recoveries', 'write', 'reads a body'],
  ['GET', '/v1/subscriptions/{subscription_id}/recoveries/{recovery_id}', 'read'],
  ['GET', '/v1/messages', 'read'],
  ['GET', '/v1/messages/{message_id}', 'read'],
  ['POST', '/v1/messages/{message_id}/resend', 'write'],
  ['POST', '/v1/messages/{message_id}/cancel', 'write'],
  ['GET', '/v1/payments/{payment_id}', 'read'],
  ['GET', '/v1/changes', 'read'],
  ['POST', '/v1/portal-sessions', 'read', 'reads a body'],
  ['POST', '/v1/portal-sessions/exchange', 'nothing', 'reads a body'],
  ['GET', '/v1/portal-sessions', 'both'],
  ['DELETE', '/v1/portal-sessions/{session_id}', 'read'],
  ['POST', '/v1/url-checks', 'write', 'reads a body'],
  ['GET', '/v1/stage/endpoints', 'stage'],
  ['GET', '/v1/stage/queues', 'stage'],
  ['POST', '/v1/stage/circuits', 'stage'],
  ['POST', '/v1/stage/sessions/exchange', 'nothing', 'reads a body'],
  ['DELETE', '/v1/stage/session', 'stage'],
];

/**
 * The deployed API's own routes: those of the functions, which have the ones above, then what is open to
 * everybody.
 */
const GATEWAY_ROUTES = [
  'ANY /v1/{proxy+}',
  'ANY /v1/stage/{proxy+}',
  // The path is known in the account only.
  'POST /doctor/…',
  'POST /v1/portal-sessions/exchange',
  'POST /v1/stage/sessions/exchange',
  ...['/v1/openapi.json', '/v1/docs', '/v1/docs/{file}', '/v1/console'].flatMap((path) => [
    `GET ${path}`,
    `HEAD ${path}`,
  ]),
  '$default',
];

/** More than the API reads of a body. */
const TOO_LARGE = JSON.stringify({ description: 'x'.repeat(16_384) });

/** The path with ids that nothing has. */
const toNothing = (path: string) => path.replaceAll(/\{(\w+)_id\}/g, (_, thing) => `${thing}_none`);

async function request(method: string, path: string, token?: string, body?: string) {
  const answer = await fetch(`${stack.outputs.apiUrl}${toNothing(path)}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: token }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const { status, headers } = answer;
  const problem = JSON.parse(await answer.text());
  expect({ path, type: headers.get('content-type') }).toEqual({ path, type: 'application/problem+json' });
  expect({ path, ...problem }).toMatchObject({ path, status, title: expect.any(String) });
  return { status, headers, problem };
}

async function tokenFor(scopes: readonly ('read' | 'write')[]): Promise<string> {
  const tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
  const { serviceId } = service;
  return `Bearer ${(await createToken(tokens, { serviceId, scopes, description: 'routes' })).token}`;
}

const bearer = () => `Bearer ${service.token}`;

test('the routes tested here are those of the deployed document and, with what is open, of the deployed API', async () => {
  const { paths } = (await service.call('GET', '/openapi.json')).body;
  const documented = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(ROUTES.map(([method, path]) => `${method} ${path}`).sort());

  const gateway = new ApiGatewayV2Client(clientConfig(stack.outputs.endpoint));
  const { Items: apis = [] } = await gateway.send(new GetApisCommand({}));
  const api = apis.find(({ Name }) => Name === 'payhooks-local');
  const { Items: routes = [] } = await gateway.send(new GetRoutesCommand({ ApiId: api?.ApiId }));
  gateway.destroy();
  const keys = routes.map(({ RouteKey = '' }) => RouteKey.replace(/^(POST \/doctor\/).+/, '$1…'));
  expect(keys.sort()).toEqual(GATEWAY_ROUTES.toSorted());
  const open = await Promise.all(
    ['/v1/openapi.json', '/v1/docs', '/v1/docs/api.md', '/v1/console'].map((path) =>
      fetch(`${stack.outputs.apiUrl}${path}`, { method: 'HEAD' }),
    ),
  );
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await request('GET', '/elsewhere')).status).toBe(404);
});

test('each route refuses a request without a token, or with one that is unknown, malformed or of another scheme', async () => {
  const guarded = ROUTES.filter(([, , needs]) => needs !== 'nothing');
  const tokens = [undefined, `Bearer phk_${'A'.repeat(43)}`, 'Bearer nonsense', service.token, 'Basic YTpi'];
  for (const token of tokens) {
    const answers = await Promise.all(
      // An unusable body of a stranger is not looked at.
      guarded.map(([method, path, , body]) => request(method, path, token, body && TOO_LARGE)),
    );
    expect({ token, all: new Set(answers.map(({ status }) => status)) }).toEqual({
      token,
      all: new Set([401]),
    });
    expect(answers.every(({ headers }) => headers.get('www-authenticate')?.startsWith('Bearer'))).toBe(true);
  }
});

test('each route refuses a token without its scope', async () => {
  const [read, write] = [await tokenFor(['read']), await tokenFor(['write'])];
  for (const [method, path, needs] of ROUTES) {
    const refused = [
      ...(needs === 'write' || needs === 'both' || needs === 'stage' ? [read] : []),
      ...(needs === 'read' || needs === 'both' || needs === 'stage' ? [write] : []),
    ];
    for (const token of refused) {
      const { status, problem } = await request(method, path, token);
      const type = `urn:payhooks:problem:${needs === 'stage' ? 'stage-session' : 'insufficient-scope'}`;
      expect([path, status, problem.type]).toEqual([path, 403, type]);
    }
  }
});

test('below and beside each route there is a JSON 404, and another method is told the right ones', async () => {
  for (const path of new Set(ROUTES.map(([, one]) => one))) {
    const methods = ROUTES.filter(([, one]) => one === path).map(([method]) => method);
    const [below, beside, other] = await Promise.all([
      request(methods[0]!, `${path}/nothing/here`, bearer()),
      request(methods[0]!, path.replace('/v1/', '/v2/'), bearer()),
      request('PUT', path, bearer(), '{}'),
    ]);
    expect({ path, below: below.status, beside: beside.status }).toEqual({ path, below: 404, beside: 404 });
    expect([path, other.status, other.headers.get('allow')?.split(', ').sort()]).toEqual([
      path,
      405,
      methods.sort(),
    ]);
  }
});

test('each route with an id answers 404 for one that nothing has', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const bodies: Readonly<Record<string, object>> = { recoveries: { since }, default: {} };
  for (const [method, path, , readsBody] of ROUTES.filter(([, one]) => one.includes('{'))) {
    const body = bodies[path.split('/').at(-1) ?? ''] ?? bodies.default;
    const { status } = await request(method, path, bearer(), readsBody && JSON.stringify(body));
    expect([method, path, status]).toEqual([method, path, 404]);
  }
});

test('each route that reads a body refuses what is not JSON, not an object, ambiguous or too large', async () => {
  const bodies: readonly (readonly [string, number])[] = [
    ['{"live":', 400],
    ['nonsense', 400],
    ['[]', 400],
    ['"text"', 400],
    ['null', 400],
    [' ', 400],
    ['{"live":true,"live":false}', 400],
    [`${'['.repeat(500)}${']'.repeat(500)}`, 400],
    [TOO_LARGE, 413],
  ];
  for (const [method, path, needs, readsBody] of ROUTES) {
    if (readsBody === undefined) continue;
    const token = needs === 'nothing' ? undefined : bearer();
    const statuses = await Promise.all(
      bodies.map(async ([body]) => (await request(method, path, token, body)).status),
    );
    expect([path, ...statuses]).toEqual([path, ...bodies.map(([, status]) => status)]);
  }
});

test('the largest body that a subscription can have is accepted', async () => {
  const headers = Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'x'.repeat(1_024)]);
  const { status } = await service.call('POST', '/subscriptions', {
    callback_url: 'http://127.0.0.1:1/hooks',
    description: '💷'.repeat(200),
    event_types: Array(20).fill('card_payment_captured'),
    live: false,
    custom_headers: Object.fromEntries(headers),
  });
  expect(status).toBe(201);
});
