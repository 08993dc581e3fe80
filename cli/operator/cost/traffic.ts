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
