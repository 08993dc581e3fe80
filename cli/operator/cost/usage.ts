import type { PriceName, Prices } from '../../../lib/prices.ts';

/** How much is used of what has a price, each in the unit of its price. */
export type Usage = Readonly<Partial<Record<PriceName, number>>>;

export function sumOf(usages: readonly Usage[]): Usage {
  const sum: Partial<Record<PriceName, number>> = {};
  for (const [name, amount] of usages.flatMap(amounts)) {
    sum[name] = (sum[name] ?? 0) + amount;
  }
  return sum;
}

export function times(count: number, usage: Usage): Usage {
  return Object.fromEntries(amounts(usage).map(([name, amount]) => [name, count * amount]));
}

/** In US dollars. */
export function priceOf(usage: Usage, prices: Prices): number {
  return amounts(usage).reduce((sum, [name, amount]) => sum + amount * prices[name], 0);
}

export function amounts(usage: Usage): (readonly [PriceName, number])[] {
  return Object.entries(usage) as [PriceName, number][];
}

/** What a stage carries, evenly spread over the day. */
export interface Traffic {
  readonly eventsPerDay: number;
  /** That want each event. */
  readonly subscriptions: number;
  /** Subscriptions that have messages in the same half minute: statistics are written for each. */
  readonly partners: number;
  readonly partnerMs: number;
  /** Of the resource of a payment; up to 16 KiB it travels with its message. */
  readonly bodyBytes: number;
  /** Of messages whose first attempt fails and whose second does not. */
  readonly failedShare: number;
}

/** An average month, as AWS reckons. */
export const MONTH_HOURS = 730;
export const MONTH_SECONDS = MONTH_HOURS * 3_600;
const DAY_SECONDS = 86_400;
const MONTH_DAYS = MONTH_HOURS / 24;

export function eventsPerSecond({ eventsPerDay }: Traffic): number {
  return eventsPerDay / DAY_SECONDS;
}

export function eventsPerMonth({ eventsPerDay }: Traffic): number {
  return eventsPerDay * MONTH_DAYS;
}

export function messagesPerMonth(traffic: Traffic): number {
  return eventsPerMonth(traffic) * traffic.subscriptions;
}

export function monthsOf(days: number): number {
  return days / MONTH_DAYS;
}
