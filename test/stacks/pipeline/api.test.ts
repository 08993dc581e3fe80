import { propertiesOf, synthesized } from '../../support/templates/synthesized.ts';

const { api } = synthesized('dev');

/** The route keys, by authorization. */
function routes(authorization?: 'CUSTOM' | 'NONE'): string[] {
  return propertiesOf(api, 'ApiGatewayV2::Route')
    .filter(({ AuthorizationType }) => [undefined, AuthorizationType].includes(authorization))
    .map(({ RouteKey }) => (typeof RouteKey === 'string' ? RouteKey : `${RouteKey['Fn::Join'][1][0]}…`))
    .sort();
}

test('every API request passes the authorizer and reaches the api, which alone answers 401', () => {
  api.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'REQUEST',
    EnableSimpleResponses: true,
    IdentitySource: [],
    AuthorizerResultTtlInSeconds: 0,
  });
  expect(routes('CUSTOM')).toEqual([
    'ANY /v1/stage/{proxy+}',
    'ANY /v1/subscriptions/{subscription_id}/feed',
    'ANY /v1/subscriptions/{subscription_id}/feed/{proxy+}',
    'ANY /v1/{proxy+}',
  ]);
});

test('without a token only the pages, the key set, the exchange of a code, the doctor’s receiver and the default route answer', () => {
  expect(routes('NONE')).toEqual([
    '$default',
    'ANY /v1/console',
    'ANY /v1/docs',
    'ANY /v1/docs/{file}',
    'ANY /v1/openapi.json',
    'GET /v1/.well-known/jwks.json',
    'POST /doctor/…',
    'POST /v1/portal-sessions/exchange',
    'POST /v1/stage/sessions/exchange',
  ]);
  expect(routes()).toHaveLength(13);
});

test('the API is throttled and logs who requested what', () => {
  api.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 },
    // A tenth: a flood without tokens leaves the rest to requests with tokens.
    RouteSettings: {
      'GET /v1/.well-known/jwks.json': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
      'POST /v1/portal-sessions/exchange': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
      'POST /v1/stage/sessions/exchange': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    },
  });
  const [{ AccessLogSettings }] = propertiesOf(api, 'ApiGatewayV2::Stage');
  const { Format } = AccessLogSettings;
  expect(JSON.parse(Format)).toMatchObject({
    status: '$context.status',
    service_id: '$context.authorizer.service_id',
  });
  // Nothing that can carry a token, a code or a body: no header, no query.
  expect([...Format.matchAll(/\$context\.([\w.]+)/g)].map(([, name]) => name).sort()).toEqual([
    'authorizer.refusal',
    'authorizer.service_id',
    'authorizer.token_id',
    'httpMethod',
    'identity.sourceIp',
    'path',
    'requestId',
    'requestTime',
    'responseLatency',
    'responseLength',
    'status',
  ]);
});
