import type { Dice } from '../../../support/dice.ts';

/** How long something takes, in ms: the median and the 99th percentile. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/**
 * DynamoDB called from Lambda, 400 times each. Source:
 * https://github.com/alexdebrie/dynamodb-performance-testing
 */
const DYNAMODB = {
  put: { p50: 7.55, p99: 16.2 },
  batchOf5: { p50: 8.14, p99: 25.5 },
  batchOf25: { p50: 10.2, p99: 27.6 },
  transactionOf5: { p50: 25.3, p99: 92.5 },
  transactionOf25: { p50: 32.1, p99: 97.5 },
} as const;

/**
 * How long calls take. Reads have no figures of their own there: they count as writes of one item, or as
 * batches of five.
 *
 * From sending to a FIFO queue to the start of the handler: p50 28 ms, p90 61 ms. Source:
 * https://bitesizedserverless.com/bite/serverless-messaging-latency-compared/. Here 10 ms of it are the call
 * that sends; the rest has a p90 of 50 ms and a p99 of 115 ms. (The p99 of 645 ms given there includes cold
 * starts, which are left out here.)
 */
export const LATENCIES = {
  GetItem: DYNAMODB.put,
  BatchGetItem: DYNAMODB.batchOf5,
  Query: DYNAMODB.put,
  UpdateItem: DYNAMODB.put,
  BatchWriteItem: DYNAMODB.batchOf5,
  BatchWriteItemOfMany: DYNAMODB.batchOf25,
  TransactWriteItems: DYNAMODB.transactionOf5,
  TransactWriteItemsOfMany: DYNAMODB.transactionOf25,
  SendMessageBatch: { p50: 10, p99: 40 },
  DeleteMessageBatch: { p50: 10, p99: 40 },
  handOver: { p50: 18, p99: 115 },
} as const satisfies Record<string, Spread>;

/** The 99th percentile of a normal distribution, in standard deviations. */
const Z99 = 2.3263;

/** Draws from a lognormal distribution. */
export function drawn({ p50, p99 }: Spread, dice: Dice): number {
  // Source: Box and Muller, 1958.
  const radius = Math.sqrt(-2 * Math.log(1 - dice.draw()));
  const normal = radius * Math.cos(2 * Math.PI * dice.draw());
  return p50 * Math.exp((Math.log(p99 / p50) / Z99) * normal);
}
