import { Duration, Names } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../functions/core/attempt/delivery-policy.ts';
import type { CallbackUrlRules } from '../functions/core/subscription/callback-url.ts';
import { refuseFaulty } from './checked-props.ts';
import { refuseUncheckable } from './events/compiled-schemas.ts';
import { EventCatalogue } from './events/event-catalogue.ts';
import type { Concurrency, PayhooksProps } from './payhooks-props.ts';
import { LEAST_VISIBILITY_FACTOR } from './worker-times.ts';

/** What props default to, on AWS. */
export const DEFAULTS = {
  events: EventCatalogue.govUkPay(),
  validate: 'off',
  keepsData: true,
  customerManagedKey: true,
  logRetention: RetentionDays.ONE_MONTH,
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
  visibilityFactor: LEAST_VISIBILITY_FACTOR,
  callbackUrls: { allowLoopback: false, allowedPorts: [443] },
  deliveryPolicy: DELIVERY_POLICY,
  attemptsPerDraw: 20,
  statisticsWindow: Duration.seconds(30),
  tracing: true,
  oldestRecordAlarm: Duration.minutes(5),
  lateAlarm: { single: Duration.minutes(5), average: Duration.seconds(30) },
  acknowledgedAlarm: 0.9,
  rollout: 'at once',
  loadLab: false,
  emulated: false,
} satisfies PayhooksProps & Merged;

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
    // As much as two cores do beside the emulator.
    widestWindowOfAll: 200,
  },
};

/** What they default to on the emulator. */
export const LOCAL_DEFAULTS = {
  ...DEFAULTS,
  emulated: true,
  keepsData: false,
  logRetention: RetentionDays.ONE_WEEK,
  concurrency: { ...DEFAULTS.concurrency, deliver: 250, statistics: 2 },
  visibilityFactor: 1.5,
  callbackUrls: { allowLoopback: true, allowedPorts: [443] },
  deliveryPolicy: IMPATIENT,
  statisticsWindow: Duration.seconds(1),
  // Developers read them all.
  attemptsPerDraw: 1,
  queuePublishers: 'account',
} satisfies PayhooksProps & Merged;

/** Props with their defaults: what the parts are made from. */
export type Settings = Omit<PayhooksProps, keyof Merged> &
  Required<Pick<PayhooksProps, Exclude<keyof typeof DEFAULTS, keyof Merged> | 'name' | 'metricNamespace'>> &
  Merged;

/** Of which props may give a part. */
interface Merged {
  readonly concurrency: Concurrency;
  readonly callbackUrls: CallbackUrlRules;
}

/** The context that makes any app's Payhooks one for the emulator. */
const LOCAL_CONTEXT = 'payhooks:local';

/** Variables of functions hold names, and Lambda takes 4 KB of them. */
const MAX_NAME = 20;

/** Of budgets, alarms, dashboards, workgroups and buses, whichever allows less. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/;

/** Whether `npx payhooks local` deploys the app. */
export function isInLocalStack(construct: Construct): boolean {
  return isTrue(construct.node.tryGetContext(LOCAL_CONTEXT));
}

/**
 * The settings of a deployment.
 *
 * @throws when a prop is wrong
 */
export function settingsOf(construct: Construct, given: PayhooksProps): Settings {
  const emulated = given.emulated ?? isInLocalStack(construct);
  refuseFaulty(given, construct.node.path, emulated);
  const name = given.name ?? Names.uniqueResourceName(construct, { maxLength: MAX_NAME });
  refuseName(name);
  refuseWebAcl(given);
  const settings = withDefaults(emulated ? LOCAL_DEFAULTS : DEFAULTS, { ...given, name });
  refuseUncheckable(settings);
  return emulated ? { ...settings, ...withoutWhatIsLacking(settings) } : settings;
}

/** Props with defaults in place of what is missing. */
export function withDefaults(
  defaults: typeof DEFAULTS | typeof LOCAL_DEFAULTS,
  given: PayhooksProps & { readonly name: string },
): Settings {
  const concurrency = { ...defaults.concurrency, ...defined(given.concurrency) };
  return {
    metricNamespace: `Payhooks/${given.name}`,
    ...defaults,
    ...defined(given),
    name: given.name,
    concurrency,
    callbackUrls: { ...defaults.callbackUrls, ...defined(given.callbackUrls) },
    deliveryPolicy: forWorkers(given.deliveryPolicy ?? defaults.deliveryPolicy, concurrency.deliver),
  };
}

/** `undefined` is a default too. */
function defined<Of extends object>(props: Of = {} as Of): Of {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Of;
}

/**
 * What endpoints may hold of all workers, by how many there are, unless the policy has a number of its own.
 * `DELIVERY_POLICY` is for 500: a hundred would all hang before 250 attempts are too many.
 */
function forWorkers({ circuit, ...others }: DeliveryPolicy, workers: number): DeliveryPolicy {
  const { slowOfAll, widestWindowOfAll } = DELIVERY_POLICY.circuit;
  return {
    ...others,
    circuit: {
      ...circuit,
      ...(circuit.slowOfAll === slowOfAll ? { slowOfAll: Math.ceil(workers / 2) } : {}),
      ...(circuit.widestWindowOfAll === widestWindowOfAll ? { widestWindowOfAll: 4 * workers } : {}),
    },
  };
}

/** What the emulator lacks, or what exists on AWS only. */
function withoutWhatIsLacking({ concurrency }: Settings) {
  return {
    emulated: true,
    keepsData: false,
    tracing: false,
    rollout: 'at once',
    ownKeysEverywhere: false,
    concurrency: { ...concurrency, reserved: false },
    budget: undefined,
    fixedAddresses: undefined,
    vpc: undefined,
    domain: undefined,
    permissionsBoundary: undefined,
    encryptionKey: undefined,
    secretsEncryptionKey: undefined,
    logsEncryptionKey: undefined,
  } as const;
}

function refuseName(name: string): void {
  if (name.length > MAX_NAME) {
    throw new Error(
      `the name ${name} has ${name.length} characters, of ${MAX_NAME} at most: give Payhooks a shorter name`,
    );
  }
  if (!NAME.test(name)) {
    throw new Error(
      `the name ${JSON.stringify(name)} is unusable: give Payhooks a name of letters, digits and hyphens, which begins and ends with a letter or digit`,
    );
  }
}

function refuseWebAcl({ webAclArn }: PayhooksProps): void {
  if (webAclArn !== undefined) {
    throw new Error(
      'webAclArn: AWS WAF protects no HTTP API: put a CloudFront distribution with the web ACL before apiUrl',
    );
  }
}

/** Context from the command line is text. */
const isTrue = (value: unknown) => value === true || value === 'true';
