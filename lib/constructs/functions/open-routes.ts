import { Validations } from 'aws-cdk-lib';
import {
  type CfnRoute,
  type CfnStage,
  type HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  type HttpStage,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ServiceFunction } from './service-function.ts';

/** A function behind several routes of an API: one permission lets the API, and no other, call it for all. */
export function routed(id: string, worker: IFunction): HttpLambdaIntegration {
  return new HttpLambdaIntegration(id, worker, { scopePermissionToRoute: false });
}

/** Makes these paths public: the function answers without a token, so it must hold nothing private. */
export function openRoutes(httpApi: HttpApi, reader: ServiceFunction, ...paths: readonly string[]): void {
  const integration = routed(`${reader.node.id}Integration`, reader.live);
  for (const path of paths) {
    // A GET route does not answer HEAD, and a route for each costs the stack a resource.
    const routes = httpApi.addRoutes({ path, methods: [HttpMethod.ANY], integration });
    routes.forEach(acknowledgeOpen);
  }
}

/** A route for links that people get by mail: a signed token in the query, which the function has to check. */
export function linkRoute(httpApi: HttpApi, path: string, reader: ServiceFunction): void {
  const integration = routed(`${reader.node.id}Integration`, reader.live);
  for (const route of httpApi.addRoutes({ path, methods: [HttpMethod.ANY], integration })) {
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Who reads a mail has no account. The link carries a signed token, which allows one thing: to want mails, or none.',
    });
  }
}

/** A route for a POST whose body, not a token, says whether it is answered: the function has to check it. */
export function codeRoute(httpApi: HttpApi, path: string, integration: HttpLambdaIntegration): HttpRoute {
  const routes = httpApi.addRoutes({ path, methods: [HttpMethod.POST], integration });
  for (const route of routes) {
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Who signs in has no token yet: the request carries a code of 256 random bits, which works once and for minutes.',
    });
  }
  return routes[0] as HttpRoute;
}

/** A route for a GET of what everybody may know. */
export function publicRoute(httpApi: HttpApi, path: string, integration: HttpLambdaIntegration): HttpRoute {
  const routes = httpApi.addRoutes({ path, methods: [HttpMethod.GET], integration });
  for (const route of routes) {
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The answer is public and the same for everybody: it takes nothing from the request.',
    });
  }
  return routes[0] as HttpRoute;
}

/**
 * A route for the POST of a webhook: its signature, not a token, says whether it is answered. The function
 * must hold nothing.
 */
export function signedRoute(httpApi: HttpApi, receiver: ServiceFunction, path: string): void {
  const integration = new HttpLambdaIntegration(`${receiver.node.id}Integration`, receiver.live);
  const routeKey = HttpRouteKey.with(path, HttpMethod.POST);
  // By itself, because `addRoutes` makes the path a name, which must be known before the deployment.
  Validations.of(
    new HttpRoute(httpApi, `${receiver.node.id}Route`, { httpApi, routeKey, integration }),
  ).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'Webhooks carry a signature instead of a token; the function behind it has no permissions.',
  });
}

/**
 * Limits routes on their own, below the limit of the whole API. API Gateway refuses settings of a route that
 * is not there yet.
 */
export function throttleRoutes(
  stage: HttpStage,
  routes: readonly HttpRoute[],
  { rateLimit, burstLimit }: ThrottleSettings,
): void {
  const deployed = stage.node.defaultChild as CfnStage;
  deployed.routeSettings = Object.fromEntries(
    routes.map((route) => [
      (route.node.defaultChild as CfnRoute).routeKey,
      { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit },
    ]),
  );
  for (const route of routes) {
    stage.node.addDependency(route);
  }
}

/** Makes a function answer every path without a route of its own, without a token. */
export function openDefaultRoute(httpApi: HttpApi, reader: ServiceFunction): void {
  // Its path has one part less than the permission for all routes takes.
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
