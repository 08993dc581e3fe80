import { Duration, Fn, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { historyTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { PAYMENTS_SOURCE } from '../../../functions/adapters/eventbridge/synthetic-bus.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import { SYNTHETIC } from '../../../functions/core/event/synthetic-event.ts';
import type { DoctorEnv } from '../../../functions/monitor/doctor/env.ts';
import {
  SCHEDULED_SERVICE,
  SCHEDULED_SUBSCRIPTION,
} from '../../../functions/monitor/doctor/own-subscription.ts';
import { itemsOf, RETURNS_NOTHING } from '../../constructs/data/table-conditions.ts';
import { signedRoute } from '../../constructs/functions/open-routes.ts';
import { indexesOf, ServiceFunction } from '../../constructs/functions/service-function.ts';
import { Every } from '../../constructs/queues/every.ts';
import type { Settings } from '../../settings.ts';
import type { Data } from '../data.ts';
import type { Pipeline } from '../pipeline.ts';

interface DoctorProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
}

/**
 * The path of the synthetic receiver. It has no state and no permissions, but who knows the path could keep
 * its few workers busy: the random part of the stack's id is known in the account only.
 */
function receiverPath(scope: Construct): string {
  return `/doctor/${Fn.select(2, Fn.split('/', Stack.of(scope).stackId))}`;
}

/** `apiUrl` ends with a slash. */
export function receiverUrlOf(scope: Construct, apiUrl: string): string {
  return Fn.join('', [apiUrl, receiverPath(scope).slice(1)]);
}

/** The doctor's own receiver, because a stage may have no other: a route of the API, without a token. */
export function syntheticReceiverFunction(
  scope: Construct,
  settings: Settings,
  httpApi: HttpApi,
): ServiceFunction {
  const receiver = new ServiceFunction(scope, 'SyntheticReceiver', {
    settings,
    name: 'synthetic-receiver',
    description: 'Receives the doctor’s webhooks and checks their signatures',
    timeout: Duration.seconds(5),
    memorySizeMiB: 256,
    reservedConcurrency: settings.concurrency.syntheticReceiver,
    environment: {},
  });
  signedRoute(httpApi, receiver, receiverPath(scope));
  return receiver;
}

/**
 * Sends synthetic payments through the whole pipeline on a schedule.
 *
 * It may create one subscription of its own service and read the state of that one's messages, without
 * bodies. Nothing of any other service.
 */
export function doctorFunction(
  scope: Construct,
  receiverUrl: string,
  { settings, data, pipeline }: DoctorProps,
): ServiceFunction {
  const doctor = new ServiceFunction(scope, 'Doctor', {
    settings,
    name: 'doctor',
    description: 'Follows a synthetic payment from the bus to its receiver',
    timeout: Duration.seconds(60),
    memorySizeMiB: 512,
    traced: true,
    environment: {
      BUS_NAME: pipeline.bus.eventBusName,
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
      SIGNING_SECRETS_KEY: data.secretsKeyArn,
      HISTORY_TABLE: data.history.tableName,
      SYNTHETIC_RECEIVER_URL: receiverUrl,
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
    } satisfies DoctorEnv,
  });
  doctor.allowTableIf(itemsOf(SCHEDULED_SERVICE), data.subscriptions, 'GetItem', 'PutItem', 'UpdateItem');
  doctor.allowTableIf(
    { ...itemsOf(SCHEDULED_SUBSCRIPTION), ...RETURNS_NOTHING },
    data.signingSecrets,
    'PutItem',
  );
  doctor.allowIf(
    itemsOf(SCHEDULED_SUBSCRIPTION),
    ['dynamodb:Query'],
    ...indexesOf(data.history, historyTable.bySubscription),
  );
  data.allowSecretsKey(doctor, 'writing');
  data.allowSecrets(doctor, 'sealing');
  data.allowDataKey(doctor, { tables: 'writing' });
  doctor.allowIf(
    // Publishers' events have another type, so nobody can use this role unnoticed to fake one.
    {
      'ForAllValues:StringEquals': { 'events:source': PAYMENTS_SOURCE, 'events:detail-type': SYNTHETIC },
    },
    ['events:PutEvents'],
    pipeline.bus.eventBusArn,
  );
  if (settings.doctorEvery !== undefined) {
    new Every(scope, 'DoctorSchedule', doctor, {
      interval: settings.doctorEvery,
      when: `every ${settings.doctorEvery.toHumanString()}`,
      staleAfter: Duration.minutes(1),
    });
  }
  return doctor;
}
