import { Validations } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ServiceFunction } from './service-function.ts';

/** Makes these paths public: the function answers without a token, so it must hold nothing private. */
export function openRoutes(httpApi: HttpApi, reader: ServiceFunction, ...paths: readonly string[]): void {
  const integration = new HttpLambdaIntegration(`${reader.node.id}Integration`, reader.live);
  for (const path of paths) {
    // A GET route does not answer HEAD.
    const routes = httpApi.addRoutes({ path, methods: [HttpMethod.GET, HttpMethod.HEAD], integration });
    routes.forEach(acknowledgeOpen);
  }
}

/** Makes a function answer every path without a route of its own, without a token. */
export function openDefaultRoute(httpApi: HttpApi, reader: ServiceFunction): void {
  const integration = new HttpLambdaIntegration(`${reader.node.id}Elsewhere`, reader.live);
  acknowledgeOpen(
    new HttpRoute(httpApi, 'Elsewhere', { httpApi, routeKey: HttpRouteKey.DEFAULT, integration }),
  );
}

function acknowledgeOpen(route: HttpRoute): void {
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'The answer is public and the same for everybody; the function behind it has no permissions.',
  });
}
