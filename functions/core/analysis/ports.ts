import type { MessageHistory } from '../message/message-history.ts';
import type { Hour } from '../statistics/statistics.ts';

/** From `since` until before `until`, both ISO 8601 in UTC with milliseconds. */
export interface Span {
  readonly since: string;
  readonly until: string;
}

/** What analysts ask of a whole stage: no bodies, answers, URLs or secrets. */
export interface StageFigures {
  /** The services that ever had a subscription, by name, behind this one. */
  services(limit: number, after?: string): Promise<readonly string[]>;
  /** The ids of the subscriptions of a service, in order; also of those deleted in the last forty days. */
  subscriptionsOf(serviceId: string): Promise<readonly string[]>;
  hours(subscriptionId: string, span: Span): Promise<readonly Hour[]>;
  readonly messages: MessageHistory['page'];
  /** What all of it has cost so far. */
  readUnits(): number;
}

/** Keeps the promises of the port, over what the subscriptions of each service have. */
export function inMemoryStageFigures(
  subscriptions: Readonly<Record<string, readonly string[]>> = {},
  hours: Readonly<Record<string, readonly Hour[]>> = {},
  messages: MessageHistory['page'] = async () => ({ messages: [] }),
): StageFigures {
  let units = 0;
  const read = <Value>(value: Value): Value => {
    units += 0.5;
    return value;
  };
  return {
    services: async (limit, after = '') =>
      read(
        Object.keys(subscriptions)
          .sort()
          .filter((id) => id > after)
          .slice(0, limit),
      ),
    subscriptionsOf: async (serviceId) => read([...(subscriptions[serviceId] ?? [])].sort()),
    hours: async (id, { since, until }) =>
      read((hours[id] ?? []).filter((hour) => hour.since >= since && hour.since < until)),
    messages: async (...wanted) => read(await messages(...wanted)),
    readUnits: () => units,
  };
}
