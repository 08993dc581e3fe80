import { fill } from '../scenario/fill.ts';
import { delayOf, type Parameters } from '../scenario/parameters.ts';
import type { Partners, Scenario } from '../scenario/scenario.ts';
import type { Customer, CustomerOptions, SubscriptionOptions } from './partner.ts';

/** A group of partners with all parameters in place. */
export interface FilledPartners {
  readonly name: string;
  readonly services: number;
  readonly receiver: Readonly<Record<string, unknown>>;
  readonly subscription: SubscriptionOptions;
  readonly changes: readonly Change[];
}

export interface Change {
  /** Seconds of sending, those of the baseline included. */
  readonly at: number | 'end';
  readonly receiver?: Readonly<Record<string, unknown>>;
  readonly subscription?: SubscriptionOptions;
}

/** @throws Error when other groups leave nothing for the rest */
export function filledPartners(
  { partners }: Pick<Scenario, 'partners'>,
  parameters: Parameters,
): FilledPartners[] {
  const baseline = Number(parameters.baseline ?? 0);
  const filled = partners.flatMap((group) => filledGroups(group, parameters));
  const taken = filled.reduce(
    (sum, group) => sum + (group.services === 'rest' ? 0 : Number(group.services)),
    0,
  );
  const services = Number(parameters.services ?? taken + 1);
  if (taken > services) {
    throw new Error(`${taken} of ${services} services are to be special: there must be more services`);
  }
  return filled.map(({ name, services: wanted, receiver, subscription, changes }) => ({
    name,
    services: wanted === 'rest' ? services - taken : Number(wanted),
    receiver,
    subscription: optionsOf(subscription),
    changes: changes.flatMap((change) => changesOf(change, receiver, baseline)),
  }));
}

/** One group, or one for each value of its list. */
function filledGroups(group: Partners, parameters: Parameters): Partners[] {
  if (group.each === undefined) return [fill(group, parameters)];
  const values = String(fill(group.each, parameters)).split(',').map(Number);
  return values.map((each) => fill(group, { ...parameters, each } as Parameters));
}

function changesOf(
  change: Partners['changes'][number],
  before: Partners['receiver'],
  baseline: number,
): Change[] {
  const at: Change['at'] = change.at === 'end' ? 'end' : baseline + Number(change.at);
  const begun = {
    at,
    ...(change.receiver === undefined ? {} : { receiver: change.receiver }),
    ...(change.subscription === undefined ? {} : { subscription: optionsOf(change.subscription) }),
  };
  return change.for === undefined || at === 'end'
    ? [begun]
    : [begun, { at: at + Number(change.for), receiver: before }];
}

/** 0 is no wish. */
function optionsOf(wanted: Readonly<Record<string, unknown>>): SubscriptionOptions {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => Number(value) !== 0));
}

/** The customers that the groups are made of; payments go to them in turn. */
export function customerOptions(
  groups: readonly FilledPartners[],
  run: string,
  subscriptions: number,
): CustomerOptions[] {
  return groups.flatMap(({ name, services, subscription }) =>
    Array.from({ length: services }, (_, index) => ({
      // Part of a URL.
      serviceId: `load-${run}-${name}-${index}`.replaceAll(/[^A-Za-z0-9_-]/g, '_'),
      group: name,
      subscriptions,
      wanted: subscription,
    })),
  );
}

/** What the receiver is told for one endpoint: `delay_ms` may differ from endpoint to endpoint. */
export function endpointSettings(settings: Readonly<Record<string, unknown>>, endpoint: number): object {
  const { delay_ms, ...rest } = settings;
  return delay_ms === undefined ? rest : { ...rest, delay_ms: delayOf(String(delay_ms), endpoint) };
}

/** Has a group behave and ask as it does from now on. */
export async function apply(
  change: Omit<Change, 'at'>,
  customers: readonly Pick<Customer, 'subscriptionIds' | 'behave' | 'change'>[],
): Promise<void> {
  const { receiver, subscription } = change;
  await Promise.all(
    customers.map(async (customer, number) => {
      if (receiver !== undefined) {
        const first = number * customer.subscriptionIds.length;
        await customer.behave((index) => endpointSettings(receiver, first + index));
      }
      if (subscription !== undefined && Object.keys(subscription).length > 0) {
        await customer.change(subscription);
      }
    }),
  );
}
