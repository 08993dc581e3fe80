import { Duration } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import * as z from 'zod/mini';
import { type TestNetwork, testNetworkSchema } from '../functions/adapters/test-network.ts';
import { type CallbackUrlRules, callbackUrlRulesSchema } from '../functions/core/callback-url.ts';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../functions/core/delivery-policy.ts';

/** Everything in which one deployment differs from another. */
export interface Stage {
  readonly name: 'local' | 'strict' | 'second' | 'dev' | 'prod';
  /** @default - the account and region of the deployer's credentials */
  readonly env?: { readonly account: string; readonly region: string };
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
    readonly tally: number;
    /** The receiver of synthetic payments, whose URL anybody may call: whoever floods it takes no workers from the others. */
    readonly checkIn: number;
    /** Set the same numbers aside in the account: only where its quota (1,000 at least) allows it. */
    readonly reserved: boolean;
  };
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
  readonly tallyWindow: Duration;
  /** The simulated receiver, for load runs. */
  readonly loadLab: boolean;
  readonly tracing: boolean;
  /** A single record older than this, in a queue that should be empty, is worth waking somebody up. */
  readonly oldestRecordAlarm: Duration;
  /**
   * What has to hold, besides a policy of their own, for whoever of the account takes the role of an analyst or of the person on call: as IAM writes
   * conditions. @default - nothing
   */
  readonly peopleCondition?: Conditions;
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

const onAws = {
  emulated: false,
  tracing: true,
  callbackUrls: { allowLoopback: false, allowedPorts: [443] },
  deliveryPolicy: DELIVERY_POLICY,
  oldestRecordAlarm: Duration.minutes(5),
  lateAlarm: { single: Duration.minutes(5), average: Duration.seconds(30) },
  rollout: 'at once',
  tallyWindow: Duration.seconds(5),
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
    firstCoolDownMs: 2_000,
    longestCoolDownMs: 10_000,
    quietMs: 5_000,
    manyWaiting: 100,
    countEveryMs: 5_000,
    widestWindowOfAll: 200,
  },
};

/** The stages that people deploy. */
export const STAGES: Readonly<Record<'local' | 'dev' | 'prod', Stage>> = {
  local: {
    ...onAws,
    name: 'local',
    emulated: true,
    tracing: false,
    env: { account: '000000000000', region: 'eu-west-1' },
    keepsData: false,
    customerManagedKey: true,
    logRetention: 'ONE_WEEK',
    concurrency: { match: 17, deliver: 50, wake: 10, sweep: 1, tally: 2, checkIn: 5, reserved: false },
    callbackUrls: { allowLoopback: true, allowedPorts: [443] },
    deliveryPolicy: IMPATIENT,
    tallyWindow: Duration.seconds(1),
    loadLab: true,
  },
  dev: {
    ...onAws,
    name: 'dev',
    deliveryPolicy: { ...DELIVERY_POLICY, circuit: { ...DELIVERY_POLICY.circuit, widestWindowOfAll: 400 } },
    keepsData: false,
    customerManagedKey: false,
    logRetention: 'ONE_MONTH',
    concurrency: { match: 17, deliver: 100, wake: 10, sweep: 1, tally: 10, checkIn: 5, reserved: false },
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
    concurrency: { match: 17, deliver: 500, wake: 100, sweep: 1, tally: 50, checkIn: 5, reserved: true },
    loadLab: false,
    archive: { retention: Duration.days(400) },
    rollout: 'canary',
    doctorEvery: Duration.minutes(5),
    peopleCondition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
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

/**
 * The local stage with an archive. Without being asked for it has none: the emulator knows no window and hands changes over as they come, at the cost of what is measured beside it.
 *
 * @throws when it is another stage: what people deploy, the table says
 */
export function archived(stage: Stage, wish: unknown): Stage {
  if (wish !== 'true') {
    return stage;
  }
  if (!stage.emulated) {
    throw new Error(
      `-c archive=true is for the local stage, and this is ${stage.name}: say archive: { retention } for it in lib/stages.ts`,
    );
  }
  return { ...stage, archive: { retention: Duration.days(7) } };
}

/**
 * The local stage with more workers of deliver, or fewer: a load run may want more than a laptop's memory has room for.
 *
 * @throws when it is another stage: what people deploy, the table says; and when it is no number that SQS takes
 */
export function withWorkers(stage: Stage, wish: unknown): Stage {
  if (wish === undefined) {
    return stage;
  }
  const deliver = Number(wish);
  if (!stage.emulated || !Number.isInteger(deliver) || deliver < 2 || deliver > 1_000) {
    throw new Error(
      `-c workers takes a whole number from 2 to 1000 and is for the local stage; this is ${stage.name} with ${wish}: say concurrency.deliver for it in lib/stages.ts`,
    );
  }
  return { ...stage, concurrency: { ...stage.concurrency, deliver } };
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

/**
 * The stage as it is deployed this time: an urgent repair of prod cannot wait for a canary.
 *
 * @throws when there is no such rollout
 */
export function rolledOut(stage: Stage, rollout: unknown): Stage {
  if (rollout === undefined) {
    return stage;
  }
  if (rollout !== 'at once' && rollout !== 'canary') {
    throw new Error(
      `there is no rollout ${JSON.stringify(rollout)}: say -c rollout='at once' or -c rollout=canary, or nothing for what the stage has (lib/stages.ts)`,
    );
  }
  return { ...stage, rollout };
}
