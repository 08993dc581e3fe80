import { Duration } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../functions/core/attempt/delivery-policy.ts';
import { EventCatalogue } from './events/event-catalogue.ts';
import type { Stage } from './stage.ts';
import { LEAST_VISIBILITY_FACTOR } from './worker-times.ts';

/**
 * How people sign in, for `peopleConditions`. IAM Identity Center (`aws sso login`) creates the role, and its
 * sessions carry no MFA claim: such people never meet the second condition. Identity Center itself can
 * require MFA.
 * Sources: "Referencing permission sets in resource policies", AWS IAM Identity Center User Guide; "AWS
 * global condition context keys", AWS IAM User Guide.
 */
export const SIGNED_IN = {
  byIdentityCenter: {
    ArnLike: { 'aws:PrincipalArn': 'arn:*:iam::*:role/aws-reserved/sso.amazonaws.com/*' },
  },
  withMfa: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
} as const satisfies Readonly<Record<string, Conditions>>;

const onAws = {
  events: EventCatalogue.govUkPay(),
  emulated: false,
  tracing: true,
  visibilityFactor: LEAST_VISIBILITY_FACTOR,
  callbackUrls: { allowLoopback: false, allowedPorts: [443] },
  deliveryPolicy: DELIVERY_POLICY,
  oldestRecordAlarm: Duration.minutes(5),
  lateAlarm: { single: Duration.minutes(5), average: Duration.seconds(30) },
  rollout: 'at once',
  statisticsWindow: Duration.seconds(30),
  attemptsPerDraw: 20,
} satisfies Partial<Stage>;

/** Short delays: nobody wants to wait minutes or days on their own machine to see what follows a failure. */
const IMPATIENT: DeliveryPolicy = {
  ...DELIVERY_POLICY,
  schedules: {
    standard: [1_000, 2_000, 4_000, 8_000, 15_000],
    govuk: [1_000, 2_000, 4_000, 8_000, 15_000],
  },
  // On a busy machine some events take seconds to the queue.
  sequenceGapMs: 20_000,
  circuit: {
    ...DELIVERY_POLICY.circuit,
    longestCoolDownMs: 10_000,
    quietMs: 5_000,
    manyWaiting: 100,
    countEveryMs: 5_000,
    widestWindowOfAll: 200,
    slowOfAll: 30,
  },
};

/** The stages that people deploy. */
export const STAGES: Readonly<Record<'local' | 'dev' | 'prod', Stage>> = {
  local: {
    ...onAws,
    name: 'local',
    emulated: true,
    visibilityFactor: 1.5,
    tracing: false,
    env: { account: '000000000000', region: 'eu-west-1' },
    keepsData: false,
    customerManagedKey: true,
    logRetention: 'ONE_WEEK',
    shards: 16,
    concurrency: {
      match: 17,
      deliver: 50,
      wake: 10,
      sweep: 1,
      statistics: 2,
      syntheticReceiver: 5,
      reserved: false,
    },
    callbackUrls: { allowLoopback: true, allowedPorts: [443] },
    deliveryPolicy: IMPATIENT,
    statisticsWindow: Duration.seconds(1),
    // Developers read them all.
    attemptsPerDraw: 1,
    loadLab: true,
    queuePublishers: 'account',
  },
  dev: {
    ...onAws,
    name: 'dev',
    deliveryPolicy: {
      ...DELIVERY_POLICY,
      circuit: { ...DELIVERY_POLICY.circuit, widestWindowOfAll: 400, slowOfAll: 50 },
    },
    keepsData: false,
    // As on prod, so that permission problems of EventBridge, SQS and DynamoDB with our key show here first.
    customerManagedKey: true,
    logRetention: 'ONE_MONTH',
    shards: 16,
    concurrency: {
      match: 17,
      deliver: 100,
      wake: 10,
      sweep: 1,
      statistics: 10,
      syntheticReceiver: 5,
      reserved: false,
    },
    loadLab: true,
    archive: { retention: Duration.days(30) },
    doctorEvery: Duration.hours(1),
    // Twice a month with a million webhooks: docs/cost.md.
    budget: { monthlyUsd: 52, counts: 'account' },
  },
  prod: {
    ...onAws,
    name: 'prod',
    keepsData: true,
    customerManagedKey: true,
    logRetention: 'SIX_MONTHS',
    shards: 64,
    concurrency: {
      match: 65,
      deliver: 500,
      wake: 100,
      sweep: 1,
      statistics: 50,
      syntheticReceiver: 5,
      reserved: true,
    },
    loadLab: false,
    archive: { retention: Duration.days(400) },
    rollout: 'canary',
    doctorEvery: Duration.minutes(5),
    // Twice a month with ten million webhooks: docs/cost.md.
    budget: { monthlyUsd: 260, counts: 'account' },
    peopleConditions: [SIGNED_IN.byIdentityCenter, SIGNED_IN.withMfa],
  },
};

/** @throws when there is no such stage, listing those that people deploy */
export function stageNamed(name: unknown): Stage {
  const stage = Object.values(STAGES).find((candidate) => candidate.name === name);
  if (stage === undefined) {
    const given = name === undefined ? 'no stage given' : `unknown stage ${JSON.stringify(name)}`;
    throw new Error(
      `${given}: use -c stage=NAME with one of ${Object.keys(STAGES).join(', ')} (lib/stages.ts)`,
    );
  }
  return stage;
}
