import type { Meter } from './meter.ts';

const MILLION = 1_000_000;

/**
 * List prices of us-east-1 in US dollars, without free tiers and discounts, as of November 2026. Sources: the pricing pages of EventBridge, SQS,
 * Lambda, DynamoDB and CloudWatch, https://aws.amazon.com/<service>/pricing/.
 */
export const PRICES = {
  asOf: '2026-11',
  region: 'us-east-1',
  customEvent: 1 / MILLION,
  fifoRequest: 0.5 / MILLION,
  standardRequest: 0.4 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** arm64. */
  lambdaGbSecond: 0.0000133334,
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  logGigabyte: 0.5,
} as const;

/** Of each attempt one line is written: see "Observability" in docs/architecture.md. Lambda's own lines and the metrics in logs are not counted. */
const LOG_LINE_BYTES = 490;

export type Bill = Readonly<Record<'events' | 'sqs' | 'lambda' | 'dynamodb' | 'logs' | 'total', number>>;

/** What a run costs, in US dollars; storage and what goes out to partners not included. */
export function billOf(meter: Meter): Bill {
  const events = meter.events * PRICES.customEvent;
  const sqs = meter.fifoRequests * PRICES.fifoRequest + meter.standardRequests * PRICES.standardRequest;
  const lambda = meter.invocations * PRICES.lambdaRequest + meter.gbSeconds * PRICES.lambdaGbSecond;
  const dynamodb = meter.writeUnits * PRICES.writeUnit + meter.readUnits * PRICES.readUnit;
  const logs = ((meter.logLines * LOG_LINE_BYTES) / 1e9) * PRICES.logGigabyte;
  return { events, sqs, lambda, dynamodb, logs, total: events + sqs + lambda + dynamodb + logs };
}
