import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DeclaredSubscriptionEnv } from '../../../functions/api/declared-subscription/env.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Settings } from '../../settings.ts';

/** Does for CloudFormation what templates declare, by the function of the API and all its rules. */
export function declaredSubscriptionsFunction(
  scope: Construct,
  settings: Settings,
  api: ServiceFunction,
): ServiceFunction {
  const declared = new ServiceFunction(scope, 'DeclaredSubscriptions', {
    settings,
    name: 'declared-subscription',
    description: 'Creates, changes and deletes the subscriptions that templates declare',
    timeout: Duration.minutes(2),
    memorySizeMiB: 256,
    environment: { API_FUNCTION: api.live.functionArn } satisfies DeclaredSubscriptionEnv,
  });
  declared.allow(['lambda:InvokeFunction'], api.live.functionArn);
  return declared;
}
