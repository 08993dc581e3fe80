import { Validations } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ServiceFunction } from './service-function.ts';

/** Lets everybody read, without a token, what a function answers at these paths. It must hold nothing that is not public. */
export function openRoutes(httpApi: HttpApi, reader: ServiceFunction, ...paths: readonly string[]): void {
  const integration = new HttpLambdaIntegration(`${reader.node.id}Integration`, reader.live);
  for (const path of paths) {
    // HEAD by itself: a route of GET does not answer it.
    const routes = httpApi.addRoutes({ path, methods: [HttpMethod.GET, HttpMethod.HEAD], integration });
    routes.forEach(acknowledgeOpen);
  }
}

/** Has a function answer everybody, without a token, at every path that no other route has. */
export function openElsewhere(httpApi: HttpApi, reader: ServiceFunction): void {
  const integration = new HttpLambdaIntegration(`${reader.node.id}Elsewhere`, reader.live);
  acknowledgeOpen(
    new HttpRoute(httpApi, 'Elsewhere', { httpApi, routeKey: HttpRouteKey.DEFAULT, integration }),
  );
}

function acknowledgeOpen(route: HttpRoute): void {
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'What is read here is the same for everybody and public; the function behind it has no permissions.',
  });
}
