import { synthesized } from '../support/synthesized.ts';

const { api } = synthesized('dev');

test('every request reaches the authorizer and then the api, which alone says 401', () => {
  api.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'REQUEST',
    EnableSimpleResponses: true,
    IdentitySource: [],
    AuthorizerResultTtlInSeconds: 0,
  });
  const routes = Object.values(api.findResources('AWS::ApiGatewayV2::Route'));
  expect(routes.map(({ Properties }) => [Properties.RouteKey, Properties.AuthorizationType])).toEqual([
    ['ANY /v1/{proxy+}', 'CUSTOM'],
  ]);
});

test('the API is throttled and logs who asked for what', () => {
  api.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 },
  });
  const [stage] = Object.values(api.findResources('AWS::ApiGatewayV2::Stage'));
  const { Format } = stage?.Properties.AccessLogSettings ?? {};
  expect(JSON.parse(Format)).toMatchObject({
    status: '$context.status',
    service_id: '$context.authorizer.service_id',
  });
  expect(Format).not.toContain('authorization');
});
