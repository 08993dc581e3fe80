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

/** Everything in which one deployment differs from another. */
export interface Stage {
  readonly name: 'local' | 'strict' | 'second' | 'dev' | 'prod';
  /**
   * Where the stage lives: the one place in which a region is written. docs/regions.md has the way from one to another.
   *
   * @default - the account and region of the deployer's credentials
   */
  readonly env?: { readonly account?: string; readonly region: string };
  /** What survives mistakes: termination protection, deletion protection, point-in-time recovery, retained tables and keys. */
  readonly keepsData: boolean;
  /**
   * Whether what holds bodies or names people (tables and queues) is encrypted with a key of the stage's own instead of one that AWS owns: its use is in
   * CloudTrail, and without it nothing can be read any more. Costs $1 a month, another dollar after each of the first two yearly rotations, and
   * $0.03 for 10,000 requests to it; see docs/security.md.
   */
  readonly customerManagedKey: boolean;
  readonly logRetention: 'ONE_WEEK' | 'ONE_MONTH' | 'SIX_MONTHS';
  /** How many workers at most. */
  readonly concurrency: {
    /** One for each shard and one for the rest can be busy at a time: more would idle. */
    readonly match: number;
    readonly deliver: number;
    /** SQS asks for two at least. */
    readonly wake: number;
    /** Two would do the same work twice. */
    readonly sweep: number;
    /** Two for each shard of the history's stream, which has one for about a thousand writes a second. */
    readonly statistics: number;
    /** The receiver of synthetic payments, whose URL anybody may call: whoever floods it takes no workers from the others. */
    readonly syntheticReceiver: number;
    /** Set the same numbers aside in the account: only where its quota (1,000 at least) allows it. */
    readonly reserved: boolean;
  };
  /**
   * Where match and deliver run: on Lambda, or on EC2 instances of the account that Lambda looks after (docs/adr/0026), which need `fixedAddresses`. Whether those
   * can read a FIFO queue AWS does not say: docs/aws-checklist.md, item 0.
   *
   * @default 'lambda'
   */
  readonly compute?: 'lambda' | 'managed-instances';
  /**
   * For how many times a worker's time its records are invisible to others: what a killed worker held comes again after so long. AWS advises six, and only an
   * emulated stage may have less: there nobody throttles, and nobody waits six minutes on their own machine.
   */
  readonly visibilityFactor: number;
  readonly callbackUrls: CallbackUrlRules;
  /**
   * Webhooks leave from so many addresses that never change, one for each NAT gateway; two outlive the failure of a zone. docs/operations.md has the price.
   *
   * @default - from whatever address Lambda has
   */
  readonly fixedAddresses?: { readonly natGateways: 1 | 2 };
  /** When failed messages are tried again, when a circuit opens, and how long what has ended is kept. */
  readonly deliveryPolicy: DeliveryPolicy;
  /** What became of messages is collected for so long before it is counted: the statistics lag by it, and a busy second costs one call. */
  readonly statisticsWindow: Duration;
  /** The simulated receiver, for load runs. */
  readonly loadLab: boolean;
  /** Whether X-Ray follows what somebody asks of the api, and the doctor's payments; docs/adr/0018. */
  readonly tracing: boolean;
  /** A single record older than this, in a queue that should be empty, is worth waking somebody up. */
  readonly oldestRecordAlarm: Duration;
  /**
   * Which of these has to hold, besides a policy of their own, for whoever of the account takes the role of an analyst or of the person on call: as IAM writes
   * conditions. One of them is enough. @default - nothing
   */
  readonly peopleConditions?: readonly [Conditions, ...Conditions[]];
  /**
   * Who may send events straight into `events.fifo` instead of the bus, by a role made for it: ARNs of their roles, or `account` for
   * everybody in the account whose own policy allows it. docs/publishing.md, "Straight into the queue". @default - nobody
   */
  readonly queuePublishers?: 'account' | readonly [string, ...string[]];
  /** Who is told by e-mail when an alarm goes off. @default - nobody; subscribe to the topic yourself */
  readonly alarmEmail?: string;
  /** Webhooks that start later than this are too late; GOV.UK Pay watches the same two. */
  readonly lateAlarm: {
    /** Of any one message. */
    readonly single: Duration;
    /** Of all messages of five minutes. */
    readonly average: Duration;
  };
  /** The attempts of all messages as files in S3, for SQL over more than `History` holds; docs/archive.md has the price. @default - not kept */
  readonly archive?: { readonly retention: Duration };
  /**
   * How a new version of a function takes over: at once, or as a canary that gets a tenth of the work for ten minutes and goes back by itself when an
   * alarm goes off.
   */
  readonly rollout: 'at once' | 'canary';
  /** So often a synthetic payment is followed from the bus to a synthetic receiver. @default - only when somebody runs the doctor */
  readonly doctorEvery?: Duration;
  /** The emulator that the local stages are deployed to cannot be told everything that AWS can. */
  readonly emulated: boolean;
  /** A test's own names and certificates. @default - the real ones, as ever on AWS */
  readonly testNetwork?: TestNetwork;
}

/**
 * How people sign in, for `peopleConditions`. Whoever comes by IAM Identity Center (`aws sso login`) has a role that it has made, and a session of that carries no
 * MFA: such people never meet the second condition. That they are asked for MFA is a setting of Identity Center.
 * Sources: "Referencing permission sets in resource policies", AWS IAM Identity Center User Guide; "AWS global condition context keys", AWS IAM User Guide.
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

/** Nobody waits for a minute, let alone a day, to see on their own machine what comes after a failure. */
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
    // As on prod: what EventBridge, SQS and DynamoDB may do with a key of ours shows here first.
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

/** What the test that deploys the stage `strict` gives it. */
export const strictNetworkSchema = z.extend(testNetworkSchema, {
  /** Also that of the test's receivers: a port shall not be what keeps them from being reached. */
  allowedPorts: callbackUrlRulesSchema.shape.allowedPorts,
});
export type StrictNetwork = z.infer<typeof strictNetworkSchema>;

/**
 * The local stage under the address rules of AWS, to prove that they hold: no loopback, no plain http, with receivers on the loopback that
 * could be reached if it were not for them.
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

/** @throws when there is no such stage, naming those that people deploy */
export function stageNamed(name: unknown): Stage {
  const stage = [...Object.values(STAGES), SECOND].find((candidate) => candidate.name === name);
  if (stage === undefined) {
    const given = name === undefined ? 'no stage was given' : `there is no stage ${JSON.stringify(name)}`;
    throw new Error(
      `${given}: say -c stage=NAME with one of ${Object.keys(STAGES).join(', ')} (lib/stages.ts)`,
    );
  }
  return stage;
}
