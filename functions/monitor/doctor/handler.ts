import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { historyPages } from '../../adapters/dynamodb/history/history-pages.ts';
import { subscriptionRegistry } from '../../adapters/dynamodb/subscriptions/subscription-registry.ts';
import { syntheticBus } from '../../adapters/eventbridge/synthetic-bus.ts';
import { kmsOnLambda } from '../../adapters/kms/kms-client.ts';
import { kmsSeal } from '../../adapters/kms/kms-sealing.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { syntheticTypeOf } from '../../core/event/synthetic-event.ts';
import { catalogueBeside } from '../../runtime/catalogue-file.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics, publishMetrics } from '../../telemetry/metrics.ts';
import { type DoctorPorts, examine } from './doctor.ts';
import { DOCTOR_ENV } from './env.ts';
import { type Course, whereabouts } from './follow.ts';
import { SCHEDULED_SUBSCRIPTION } from './own-subscription.ts';

const env = readEnv(DOCTOR_ENV, process.env);
const { graceMs } = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = new DynamoDBClient(AWS_CLIENT_CONFIG);
const page = historyPages(dynamodb, env.HISTORY_TABLE);

const ports: DoctorPorts = {
  syntheticType: syntheticTypeOf(catalogueBeside(import.meta.dirname).types),
  registry: subscriptionRegistry(dynamodb, {
    tables: { subscriptions: env.SUBSCRIPTIONS_TABLE, signingSecrets: env.SIGNING_SECRETS_TABLE },
    graceMs,
    seal: kmsSeal(kmsOnLambda(process.env), env.SIGNING_SECRETS_KEY),
    now: Date.now,
  }),
  callbackUrl: env.SYNTHETIC_RECEIVER_URL,
  put: syntheticBus(new EventBridgeClient(AWS_CLIENT_CONFIG), env.BUS_NAME),
  async find({ payment_id }) {
    // The newest few are enough: this subscription has no other messages.
    const { messages } = await page(SCHEDULED_SUBSCRIPTION, { limit: 10 });
    return messages.find((message) => message.payment_id === payment_id);
  },
  nameRun: randomUUID,
  now: Date.now,
  wait: delay,
};

/** A run that finds a problem succeeds all the same: only the metric, which the alarm watches, is 0. */
export const handler = async (): Promise<Pick<Course, 'hasArrived' | 'steps'> | undefined> => {
  try {
    const { hasArrived, ...course } = await examine(ports);
    metrics.addMetric(METRIC.doctorOk, MetricUnit.Count, hasArrived ? 1 : 0);
    const { steps, seen } = course;
    const facts = { steps, message_id: seen?.message_id, found: whereabouts({ hasArrived, ...course }) };
    if (hasArrived) {
      logger.info('doctor.examined', facts);
    } else {
      logger.error('doctor.failed', facts);
    }
    return { hasArrived, steps };
  } catch (error) {
    metrics.addMetric(METRIC.doctorOk, MetricUnit.Count, 0);
    logger.error('doctor.internal_error', { error: error as Error });
    return undefined;
  } finally {
    publishMetrics();
  }
};
