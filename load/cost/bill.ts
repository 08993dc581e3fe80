import { PRICES } from '../../lib/prices.ts';
import type { Cost, RunResult } from '../results/run-result.ts';
import { sum } from '../statistics/sum.ts';
import { rounded } from './ours.ts';
import { nameOf, total, type Used } from './usage.ts';

const MILLION = 1_000_000;

/** The items of a bill, in US dollars, by service. */
function linesOf(used: Used): Record<string, readonly (readonly [string, number])[]> {
  const each = (counts: Readonly<Record<string, number>>, price: number, say: (name: string) => string) =>
    Object.entries(counts).map(([name, count]) => [say(name), count * price] as const);
  return {
    events: each(used.events, PRICES.customEvent, (name) => name),
    sqs: [
      ...each(used.fifoRequests, PRICES.fifoRequest, (name) => name),
      ...each(used.standardRequests, PRICES.standardRequest, (name) => name),
    ],
    lambda: [
      ...each(used.gbSeconds, PRICES.lambdaGbSecond, (name) => `GB-seconds of ${name}`),
      ...each(used.invocations, PRICES.lambdaRequest, (name) => `invocations of ${name}`),
    ],
    dynamodb: [
      ...each(used.writeUnits, PRICES.writeUnit, (name) => `write units of ${nameOf(name)}`),
      ...each(used.readUnits, PRICES.readUnit, (name) => `read units of ${nameOf(name)}`),
    ],
    logs: [['lines of all functions', (used.logBytes / 1e9) * PRICES.logGigabyte]],
  };
}

/**
 * What AWS would charge for a million deliveries, without storage, egress, metrics, traces and customer
 * managed keys.
 *
 * @throws RangeError without deliveries
 */
export function costOfUsed(used: Used, deliveries: number): Cost {
  if (!(deliveries > 0)) throw new RangeError(`cannot price ${deliveries} deliveries`);
  const services = Object.entries(linesOf(used));
  const perMillion = (dollars: number) => (dollars / deliveries) * MILLION;
  const sums = services.map(
    ([service, lines]) => [service, perMillion(sum(lines.map(([, dollars]) => dollars)))] as const,
  );
  const lines = services.flatMap(([service, ofService]) =>
    ofService.map(([name, dollars]) => ({
      name: `${service}: ${name}`,
      per_million: rounded(perMillion(dollars)),
    })),
  );
  return {
    prices_as_of: PRICES.asOf,
    region: PRICES.region,
    per_million: rounded(sum(sums.map(([, dollars]) => dollars))),
    by_service: Object.fromEntries(sums.map(([service, dollars]) => [service, rounded(dollars)])),
    lines: lines.filter(({ per_million }) => per_million > 0).sort((a, b) => b.per_million - a.per_million),
    calls_per_delivery: rounded(total(used.calls) / deliveries),
    calls: Object.fromEntries(
      Object.entries(used.calls)
        .sort(([, a], [, b]) => b - a)
        .map(([kind, count]) => [kind, rounded(count / deliveries)]),
    ),
    write_units_per_delivery: rounded(total(used.writeUnits) / deliveries),
    read_units_per_delivery: rounded(total(used.readUnits) / deliveries),
    records_per_batch: batchesOf(used),
  };
}

function batchesOf({ records, invocations }: Used): Record<string, number> {
  return Object.fromEntries(
    ['match', 'deliver'].flatMap((name) => {
      const count = invocations[name] ?? 0;
      return count === 0 ? [] : [[name, Math.round(((records[name] ?? 0) / count) * 100) / 100]];
    }),
  );
}

/**
 * CPU, event-loop delay and garbage collection of match and deliver. The share of garbage collection is
 * relative to the duration of their invocations.
 */
export function workOfUsed(used: Used, deliveries: number): NonNullable<RunResult['work']> {
  const { match = 0, deliver = 0 } = used.cpuMs;
  return {
    cpu_ms_per_delivery: rounded((match + deliver) / deliveries),
    event_loop_delay_ms_p99: used.eventLoopDelayMs,
    gc_share: used.durationMs === 0 ? 0 : rounded(used.gcMs / used.durationMs),
    started_workers: { ...used.starts },
  };
}
