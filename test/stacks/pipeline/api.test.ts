import { synthesized } from '../../support/templates/synthesized.ts';

const { api } = synthesized('dev');

/** The route keys, by authorization. */
function routes(authorization?: 'CUSTOM' | 'NONE'): string[] {
  return Object.values(api.findResources('AWS::ApiGatewayV2::Route'))
    .filter(({ Properties }) => [undefined, Properties.AuthorizationType].includes(authorization))
    .map(({ Properties }) => Properties.RouteKey)
    .sort();
}

test('every API request passes the authorizer and reaches the api, which alone answers 401', () => {
  api.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'REQUEST',
    EnableSimpleResponses: true,
    IdentitySource: [],
    AuthorizerResultTtlInSeconds: 0,
  });
  expect(routes('CUSTOM')).toEqual(['ANY /v1/{proxy+}']);
});

test('without a token only the pages, the exchange of a code and the default route answer', () => {
  expect(routes('NONE')).toEqual([
    '$default',
    'GET /v1/console',
    'GET /v1/docs',
    'GET /v1/docs/api.md',
    'GET /v1/docs/receiving.md',
    'GET /v1/openapi.json',
    'HEAD /v1/console',
    'HEAD /v1/docs',
    'HEAD /v1/docs/api.md',
    'HEAD /v1/docs/receiving.md',
    'HEAD /v1/openapi.json',
    'POST /v1/portal-sessions/exchange',
  ]);
  expect(routes()).toHaveLength(13);
});

test('the API is throttled and logs who requested what', () => {
  api.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 },
    // A tenth: a flood of codes leaves the rest to requests with tokens.
    RouteSettings: {
      'POST /v1/portal-sessions/exchange': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    },
  });
  const [stage] = Object.values(api.findResources('AWS::ApiGatewayV2::Stage'));
  const { Format } = stage?.Properties.AccessLogSettings ?? {};
  expect(JSON.parse(Format)).toMatchObject({
    status: '$context.status',
    service_id: '$context.authorizer.service_id',
  });
  expect(Format).not.toContain('authorization');
});
