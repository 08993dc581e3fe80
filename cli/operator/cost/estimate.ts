import type { Stage } from '../../../lib/app/stage.ts';
import { PRICES_BY_REGION, type PriceName, type Prices } from '../../../lib/prices.ts';
import type { Resource } from './ground.ts';
import { groundOf } from './ground.ts';
import { type Batches, batchesAt, type Simulated } from './measured/batch-sizes.ts';
import type { Measured } from './measured/measured.ts';
import { delivering } from './parts/delivering.ts';
import { idling, syntheticPayments } from './parts/idle.ts';
import { keptLogs } from './parts/keeping.ts';
import { batchesWithPollers } from './parts/pollers.ts';
import { standingOf } from './parts/schedules.ts';
import { type Peer, peersOf } from './peers.ts';
import {
  amounts,
  eventsPerSecond,
  MONTH_HOURS,
  messagesPerMonth,
  priceOf,
  sumOf,
  type Traffic,
  type Usage,
} from './usage.ts';

export type Region = keyof typeof PRICES_BY_REGION;

const SERVICES = {
  EventBridge: ['customEvent', 'scheduledRun'],
  SQS: ['fifoRequest', 'standardRequest'],
  Lambda: ['lambdaRequest', 'lambdaGbSecond', 'pollerHour'],
  'DynamoDB requests': ['writeUnit', 'readUnit'],
  'DynamoDB storage': ['storedGigabyteMonth', 'recoveryGigabyteMonth'],
  'CloudWatch logs': ['logGigabyte', 'keptLogGigabyteMonth'],
  'CloudWatch metrics, alarms, dashboard': [
    'metricMonth',
    'alarmMetricMonth',
    'compositeAlarmMonth',
    'dashboardMonth',
  ],
  'X-Ray': ['trace'],
  KMS: ['keyMonth', 'keyRequest'],
  S3: ['s3Put', 's3GigabyteMonth'],
  'Data transfer out': ['sentGigabyte'],
  'NAT gateways': ['natHour', 'natGigabyte', 'addressHour'],
} as const satisfies Readonly<Record<string, readonly PriceName[]>>;

/** In US dollars a month. */
export interface Share {
  /** A month without events. */
  readonly idle: number;
  readonly traffic: number;
}

export interface Estimate {
  readonly stage: string;
  readonly region: string;
  readonly pricesAsOf: string;
  /** The prices used that were not checked against a price list of the region. */
  readonly unchecked: readonly PriceName[];
  readonly traffic: Traffic;
  readonly webhooksPerMonth: number;
  readonly batches: Batches;
  readonly byService: Readonly<Record<string, Share>>;
  readonly total: Share;
  /** Of the traffic alone, and with what the stage costs anyway; absent when nothing is published. */
  readonly perMillion?: Share;
  /** What the sums are of, each with what it uses and costs. */
  readonly idle: readonly Part[];
  readonly delivering: readonly Part[];
  readonly peers: readonly Peer[];
}

export interface Part {
  readonly name: string;
  readonly perMonth: number;
  readonly used: Usage;
}

export interface Known {
  readonly settings: Stage;
  readonly resources: readonly Resource[];
  readonly measured: Measured;
  readonly simulated: Simulated;
  /** @default - the list prices of the region */
  readonly prices?: Prices;
}

/** A month's bill at list prices. */
export function estimate(traffic: Traffic, region: Region, known: Known): Estimate {
  const prices = known.prices ?? PRICES_BY_REGION[region];
  const standing = standingOf(known.resources, known.measured);
  const ground = {
    ...groundOf(known.settings, known.resources),
    measured: known.measured,
    functions: standing.functions,
  };
  const alone = { match: 1, deliver: 1 };
  const synthetic = {
    ...traffic,
    eventsPerDay: syntheticPayments(standing) / (MONTH_HOURS / 24),
    subscriptions: 1,
    failedShare: 0,
  };
  const batches =
    traffic.eventsPerDay === 0
      ? alone
      : batchesWithPollers(
          batchesAt(known.simulated, eventsPerSecond(traffic), traffic.subscriptions),
          known.settings,
          traffic,
        );
  const withLogs = (parts: Readonly<Record<string, Usage>>) =>
    Object.entries(parts).map(([name, used]): Part => {
      const all = sumOf([used, keptLogs(used, ground)]);
      return { name, perMonth: priceOf(all, prices), used: whatIsUsed(all) };
    });
  const idle = withLogs({
    ...idling(standing),
    'synthetic payments': sumOf(Object.values(delivering(synthetic, { ...ground, batches: alone }))),
  });
  const parts = withLogs(delivering(traffic, { ...ground, batches }));
  const [idleUsage, trafficUsage] = [idle, parts].map((some) => sumOf(some.map(({ used }) => used)));
  const share = (names: readonly string[]): Share => {
    const of = (usage: Usage) =>
      priceOf(Object.fromEntries(amounts(usage).filter(([name]) => names.includes(name))), prices);
    return { idle: of(idleUsage!), traffic: of(trafficUsage!) };
  };
  const total = share(Object.values(SERVICES).flat());
  const webhooks = messagesPerMonth(traffic);
  const used = new Set(
    amounts(sumOf([idleUsage!, trafficUsage!])).flatMap(([name, amount]) => (amount === 0 ? [] : name)),
  );
  return {
    stage: known.settings.name,
    region: prices.region,
    pricesAsOf: prices.asOf,
    unchecked: prices.unchecked.filter((name) => used.has(name)),
    traffic,
    webhooksPerMonth: webhooks,
    batches,
    byService: Object.fromEntries(
      Object.entries(SERVICES).map(([service, names]) => [service, share(names)]),
    ),
    total,
    ...(webhooks === 0
      ? {}
      : { perMillion: { idle: (total.idle / webhooks) * 1e6, traffic: (total.traffic / webhooks) * 1e6 } }),
    idle,
    delivering: parts,
    peers: webhooks === 0 ? [] : peersOf(traffic, prices),
  };
}

function whatIsUsed(usage: Usage): Usage {
  return Object.fromEntries(amounts(usage).filter(([, amount]) => amount !== 0));
}
