import { PRICES } from '../../../lib/prices.ts';
import type { Meter } from '../../../test/simulation/aws/metering/meter.ts';

/**
 * Each attempt writes one log line: see "Observability" in docs/architecture.md. Lambda's own lines and
 * metrics in logs do not count.
 */
const LOG_LINE_BYTES = 490;

export type Bill = Readonly<Record<'events' | 'sqs' | 'lambda' | 'dynamodb' | 'logs' | 'total', number>>;

/** What a run costs, in US dollars, without storage and egress. */
export function billOf(meter: Meter): Bill {
  const events = meter.events * PRICES.customEvent;
  const sqs = meter.fifoRequests * PRICES.fifoRequest + meter.standardRequests * PRICES.standardRequest;
  const lambda = meter.invocations * PRICES.lambdaRequest + meter.gbSeconds * PRICES.lambdaGbSecond;
  const dynamodb = meter.writeUnits * PRICES.writeUnit + meter.readUnits * PRICES.readUnit;
  const logs = ((meter.logLines * LOG_LINE_BYTES) / 1e9) * PRICES.logGigabyte;
  return { events, sqs, lambda, dynamodb, logs, total: events + sqs + lambda + dynamodb + logs };
}
