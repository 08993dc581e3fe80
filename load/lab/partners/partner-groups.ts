import { sum } from '../../statistics/sum.ts';
import { fill } from '../scenario/fill.ts';
import { delayOf, type Parameters } from '../scenario/parameters.ts';
import type { Partners, Scenario } from '../scenario/scenario.ts';
import type { Partner, PartnerOptions, SubscriptionOptions } from './partner.ts';

/** A group of partners, with all parameters filled in. */
export interface PartnerGroup {
  readonly name: string;
  readonly services: number;
  readonly receiver: Readonly<Record<string, unknown>>;
  readonly subscription: SubscriptionOptions;
  readonly changes: readonly Change[];
}

export interface Change {
  /** Seconds since sending began, baseline included. */
  readonly at: number | 'end';
  readonly receiver?: Readonly<Record<string, unknown>>;
  readonly subscription?: SubscriptionOptions;
}

/** @throws Error when the other groups leave no service for the rest */
export function partnerGroups(
  { partners }: Pick<Scenario, 'partners'>,
  parameters: Parameters,
): PartnerGroup[] {
  const baseline = Number(parameters.baseline ?? 0);
  const filled = fill(partners, parameters);
  const taken = sum(filled.map((group) => (group.services === 'rest' ? 0 : Number(group.services))));
  const services = Number(parameters.services ?? taken + 1);
  if (taken > services) {
    throw new Error(`${taken} of ${services} services belong to other groups: raise --services`);
  }
  return filled.map(({ name, services: count, receiver, subscription, changes }) => ({
    name,
    services: count === 'rest' ? services - taken : Number(count),
    receiver,
    subscription: optionsOf(subscription),
    changes: changes.flatMap((change) => changesOf(change, receiver, baseline)),
  }));
}

function changesOf(
  change: Partners['changes'][number],
  before: Partners['receiver'],
  baseline: number,
): Change[] {
  const at: Change['at'] = change.at === 'end' ? 'end' : baseline + Number(change.at);
  const begun = {
    at,
    receiver: change.receiver,
    ...(change.subscription === undefined ? {} : { subscription: optionsOf(change.subscription) }),
  };
  return change.for === undefined || at === 'end'
    ? [begun]
    : [begun, { at: at + Number(change.for), receiver: before }];
}

/** 0 means: not set. */
function optionsOf(settings: Readonly<Record<string, unknown>>): SubscriptionOptions {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => Number(value) !== 0));
}

/** The partners of all groups. Payments go to them in turn. */
export function partnerOptions(
  groups: readonly PartnerGroup[],
  run: string,
  subscriptions: number,
): PartnerOptions[] {
  return groups.flatMap(({ name, services, subscription }) =>
    Array.from({ length: services }, (_, index) => ({
      // Becomes part of a URL.
      serviceId: `load-${run}-${name}-${index}`.replaceAll(/[^A-Za-z0-9_-]/g, '_'),
      group: name,
      subscriptions,
      settings: subscription,
    })),
  );
}

/** Receiver settings of one endpoint: `delay_ms` can differ by endpoint. */
export function endpointSettings(settings: Readonly<Record<string, unknown>>, endpoint: number): object {
  const { delay_ms, ...rest } = settings;
  return delay_ms === undefined ? rest : { ...rest, delay_ms: delayOf(String(delay_ms), endpoint) };
}

/** Applies new receiver and subscription settings to a group. */
export async function apply(
  change: Omit<Change, 'at'>,
  partners: readonly Pick<Partner, 'subscriptionIds' | 'behave' | 'change'>[],
): Promise<void> {
  const { receiver, subscription } = change;
  await Promise.all(
    partners.map(async (partner, number) => {
      if (receiver !== undefined) {
        const first = number * partner.subscriptionIds.length;
        await partner.behave((index) => endpointSettings(receiver, first + index));
      }
      if (subscription !== undefined && Object.keys(subscription).length > 0) {
        await partner.change(subscription);
      }
    }),
  );
}

/** Has all endpoints behave as at the beginning. */
export async function applyFirst(
  groups: readonly PartnerGroup[],
  partners: readonly Partner[],
): Promise<void> {
  for (const { name, receiver } of groups) {
    await apply(
      { receiver },
      partners.filter(({ group }) => group === name),
    );
  }
}
