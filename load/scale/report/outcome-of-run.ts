import { PRICES } from '../../../lib/prices.ts';
import type { Meter } from '../../../test/simulation/aws/metering/meter.ts';
import { percentile } from '../../statistics/percentile.ts';
import type { Cell } from '../cell.ts';

/**
 * Each attempt writes one log line: see "Observability" in docs/architecture.md. Lambda's own lines and
 * metrics in logs do not count.
 */
const LOG_LINE_BYTES = 490;

type Bill = Readonly<Record<'events' | 'sqs' | 'lambda' | 'dynamodb' | 'logs' | 'total', number>>;

/** What a run costs, in US dollars, without storage and egress. */
function billOf(meter: Meter): Bill {
  const events = meter.events * PRICES.customEvent;
  const sqs = meter.fifoRequests * PRICES.fifoRequest + meter.standardRequests * PRICES.standardRequest;
  const lambda = meter.invocations * PRICES.lambdaRequest + meter.gbSeconds * PRICES.lambdaGbSecond;
  const dynamodb = meter.writeUnits * PRICES.writeUnit + meter.readUnits * PRICES.readUnit;
  const logs = ((meter.logLines * LOG_LINE_BYTES) / 1e9) * PRICES.logGigabyte;
  return { events, sqs, lambda, dynamodb, logs, total: events + sqs + lambda + dynamodb + logs };
}

/** The results of a group of subscriptions. */
interface GroupOutcome {
  readonly published: number;
  readonly delivered: number;
  readonly attempts: number;
  readonly probes: number;
  readonly held: number;
  /** In ms; absent without attempts. */
  readonly time_to_send?: { readonly p50: number; readonly p99: number };
}

/** The results of a run, and what it used. */
export interface RunOutcome {
  readonly name: string;
  readonly virtual_seconds: number;
  readonly wall_seconds: number;
  readonly groups: Readonly<Record<string, GroupOutcome>>;
  readonly delivered: number;
  /** The most records at one time that were not in flight. `delayed`: timers that were not due. */
  readonly most_waiting: Readonly<Record<'events' | 'deliveries' | 'timers' | 'delayed', number>>;
  readonly most_workers: Readonly<Record<'match' | 'deliver' | 'wake', number>>;
  /** Records in a batch, on average. */
  readonly batch: Readonly<Record<'match' | 'deliver' | 'wake', number>>;
  readonly write_units: number;
  readonly read_units: number;
  readonly gb_seconds: number;
  readonly invocations: number;
  readonly used: Pick<
    Meter,
    'writes' | 'reads' | 'calls' | 'busiestSecond' | 'busiestPartition' | 'throttledMs'
  >;
  /** In US dollars. */
  readonly price: Bill;
  readonly price_per_million?: number;
}

const MILLION = 1_000_000;
const MAPPINGS = ['match', 'deliver', 'wake'] as const;

export function outcomeOf(name: string, cell: Cell, wallSeconds: number): RunOutcome {
  const { meter, mappings, observations, surface } = cell;
  const { events, deliveries, timers } = surface;
  const groups = Object.fromEntries(
    [...observations.byGroup.keys()].map((group) => [group, fared(cell, group)]),
  );
  const delivered = Object.values(groups).reduce((sum, one) => sum + one.delivered, 0);
  const price = billOf(meter);
  const each = <T>(of: (name: (typeof MAPPINGS)[number]) => T) =>
    Object.fromEntries(MAPPINGS.map((one) => [one, of(one)])) as Record<(typeof MAPPINGS)[number], T>;
  // A snapshot: a cell may run on.
  const { writes, reads, calls, busiestSecond, busiestPartition, throttledMs } = structuredClone({
    ...meter,
  });
  return {
    name,
    virtual_seconds: Math.round((cell.clock.now() - cell.startedAtMs) / 1_000),
    wall_seconds: Math.round(wallSeconds),
    groups,
    delivered,
    most_waiting: {
      events: events.maxWaiting,
      deliveries: deliveries.maxWaiting,
      timers: timers.maxWaiting,
      delayed: timers.maxDelayed,
    },
    most_workers: each((one) => mappings[one].maxBusy),
    batch: each(
      (one) => Math.round((100 * mappings[one].records) / Math.max(mappings[one].batches, 1)) / 100,
    ),
    write_units: meter.writeUnits,
    read_units: meter.readUnits,
    gb_seconds: Math.round(meter.gbSeconds),
    invocations: meter.invocations,
    used: { writes, reads, calls, busiestSecond, busiestPartition, throttledMs },
    price,
    ...(delivered === 0 ? {} : { price_per_million: (price.total / delivered) * MILLION }),
  };
}

function fared({ observations }: Cell, group: string): GroupOutcome {
  const { published, delivered, attempts, probes, held, timesToSend } = observations.of(group);
  return {
    published,
    delivered,
    attempts,
    probes,
    held,
    ...(timesToSend.length === 0
      ? {}
      : { time_to_send: { p50: percentile(timesToSend, 50), p99: percentile(timesToSend, 99) } }),
  };
}
