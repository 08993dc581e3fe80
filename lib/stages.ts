import { Duration } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import * as z from 'zod/mini';
import { type TestNetwork, testNetworkSchema } from '../functions/adapters/http/test-network.ts';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../functions/core/attempt/delivery-policy.ts';
import {
  type CallbackUrlRules,
  callbackUrlRulesSchema,
} from '../functions/core/subscription/callback-url.ts';
import { LEAST_VISIBILITY_FACTOR } from './worker-times.ts';

/** Everything in which deployments differ. */
export interface Stage {
  readonly name: 'local' | 'strict' | 'second' | 'dev' | 'prod';
  /**
   * The stage's account and region: the only place where a region is written. docs/regions.md says how to
   * move a stage.
   *
   * @default - the account and region of the deployer's credentials
   */
  readonly env?: { readonly account?: string; readonly region: string };
  /**
   * Protects data against mistakes: termination protection, deletion protection, retained tables and keys.
   */
  readonly keepsData: boolean;
  /**
   * Whether a customer managed key encrypts the tables and queues that hold bodies or name people, instead of
   * a key that AWS owns. CloudTrail then records its use, and disabling it makes the data unreadable. Costs
   * $1 a month, another dollar after each of the first two yearly rotations, and $0.03 per 10,000 requests;
   * see docs/security.md.
   */
  readonly customerManagedKey: boolean;
  readonly logRetention: 'ONE_WEEK' | 'ONE_MONTH' | 'SIX_MONTHS';
  /** The most workers of each function. */
  readonly concurrency: {
    /** One for each shard and one for the rest can be busy at a time: more would idle. */
    readonly match: number;
    readonly deliver: number;
    /** SQS requires at least two. */
    readonly wake: number;
    /** Two would do the same work twice. */
    readonly sweep: number;
    /**
     * Two for each shard of the history's stream, which has one shard for about a thousand writes a second.
     */
    readonly statistics: number;
    /**
     * The receiver of synthetic payments. Its URL is public: the limit keeps a flood from taking workers from
     * other functions.
     */
    readonly syntheticReceiver: number;
    /** Whether these numbers are reserved in the account. Only where its quota (at least 1,000) allows it. */
    readonly reserved: boolean;
  };
  /**
   * Where match and deliver run: on Lambda, or on EC2 instances of the account that Lambda manages
   * (docs/adr/0026), which need `fixedAddresses`. AWS does not document whether those can read a FIFO queue:
   * docs/aws-checklist.md, item 0.
   *
   * @default 'lambda'
   */
  readonly compute?: 'lambda' | 'managed-instances';
  /**
   * The visibility timeout of a queue as a multiple of its worker's timeout: records of a killed worker come
   * back after that. AWS advises six. Only an emulated stage may have less: nothing throttles there, and
   * nobody waits six minutes on their own machine.
   */
  readonly visibilityFactor: number;
  readonly callbackUrls: CallbackUrlRules;
  /**
   * Webhooks are sent from this many fixed addresses, one per NAT gateway; two survive the failure of a zone.
   * docs/operations.md has the price.
   *
   * @default - Lambda's changing addresses
   */
  readonly fixedAddresses?: { readonly natGateways: 1 | 2 };
  /** When failed messages are retried, when a circuit opens, and how long finished messages are kept. */
  readonly deliveryPolicy: DeliveryPolicy;
  /**
   * How long final states are collected before they are counted. Statistics lag by it, and a busy second
   * costs one call.
   */
  readonly statisticsWindow: Duration;
  /** Whether the stage has the simulated receiver, for load runs. */
  readonly loadLab: boolean;
  /** Whether X-Ray traces API requests and the doctor's payments; docs/adr/0018. */
  readonly tracing: boolean;
  /** The age at which a single record, in a queue that should be empty, is worth paging somebody. */
  readonly oldestRecordAlarm: Duration;
  /**
   * IAM conditions for assuming the role of an analyst or of the person on call, besides a policy of one's
   * own. One of them has to hold. @default - none
   */
  readonly peopleConditions?: readonly [Conditions, ...Conditions[]];
  /**
   * The publishers that may send straight into `events.fifo`, by a role made for them: ARNs of their roles, or
   * `account` for everybody in the account whose own policy allows it. docs/publishing.md, "Straight into the
   * queue". @default - none
   */
  readonly queuePublishers?: 'account' | readonly [string, ...string[]];
  /** The e-mail address that alarms notify. @default - none; subscribe to the topic yourself */
  readonly alarmEmail?: string;
  /** First attempts later than this are too late; GOV.UK Pay watches the same two. */
  readonly lateAlarm: {
    /** For any single message. */
    readonly single: Duration;
    /** For the average of five minutes. */
    readonly average: Duration;
  };
  /**
   * Keeps the attempts of all messages as files in S3, for SQL over more than `History` holds;
   * docs/archive.md has the price. @default - no archive
   */
  readonly archive?: { readonly retention: Duration };
  /**
   * How a new version of a function takes over: at once, or as a canary that gets a tenth of the work for ten
   * minutes and is rolled back when an alarm goes off.
   */
  readonly rollout: 'at once' | 'canary';
  /**
   * How often a synthetic payment is sent from the bus to a synthetic receiver. @default - only when somebody
   * runs the doctor
   */
  readonly doctorEvery?: Duration;
  /** Whether the stage is deployed to the emulator, which does not support everything that AWS does. */
  readonly emulated: boolean;
  /** Names and certificates of a test. @default - the real ones, as always on AWS */
  readonly testNetwork?: TestNetwork;
}

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
  emulated: false,
  tracing: true,
  visibilityFactor: LEAST_VISIBILITY_FACTOR,
  callbackUrls: { allowLoopback: false, allowedPorts: [443] },
  deliveryPolicy: DELIVERY_POLICY,
  oldestRecordAlarm: Duration.minutes(5),
  lateAlarm: { single: Duration.minutes(5), average: Duration.seconds(30) },
  rollout: 'at once',
  statisticsWindow: Duration.seconds(5),
} satisfies Partial<Stage>;

/** Short delays: nobody wants to wait minutes or days on their own machine to see what follows a failure. */
const IMPATIENT: DeliveryPolicy = {
  ...DELIVERY_POLICY,
  schedules: {
    standard: [1_000, 2_000, 4_000, 8_000, 15_000],
    govuk: [1_000, 2_000, 4_000, 8_000, 15_000],
  },
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
  },
  prod: {
    ...onAws,
    name: 'prod',
    keepsData: true,
    customerManagedKey: true,
    logRetention: 'SIX_MONTHS',
    concurrency: {
      match: 17,
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
    peopleConditions: [SIGNED_IN.byIdentityCenter, SIGNED_IN.withMfa],
  },
};

/** What the test that deploys the stage `strict` passes to it. */
export const strictNetworkSchema = z.extend(testNetworkSchema, {
  /**
   * Includes the ports of the test's receivers: they must not be unreachable merely because of their port.
   */
  allowedPorts: callbackUrlRulesSchema.shape.allowedPorts,
});
export type StrictNetwork = z.infer<typeof strictNetworkSchema>;

/**
 * The local stage with the address rules of AWS, to prove that they hold: no loopback, no plain http.
 * Receivers on the loopback would be reachable without these rules.
 */
export function strictStage({ allowedPorts, ...testNetwork }: StrictNetwork): Stage {
  return {
    ...STAGES.local,
    name: 'strict',
    callbackUrls: { ...onAws.callbackUrls, allowedPorts },
    testNetwork,
  };
}

/** The local stage under another name, for the test that deploys both into one account. */
const SECOND: Stage = { ...STAGES.local, name: 'second' };

/** @throws when there is no such stage, listing those that people deploy */
export function stageNamed(name: unknown): Stage {
  const stage = [...Object.values(STAGES), SECOND].find((candidate) => candidate.name === name);
  if (stage === undefined) {
    const given = name === undefined ? 'no stage given' : `unknown stage ${JSON.stringify(name)}`;
    throw new Error(
      `${given}: use -c stage=NAME with one of ${Object.keys(STAGES).join(', ')} (lib/stages.ts)`,
    );
  }
  return stage;
}
