import type { DeliveryPolicy } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Admitted } from '../../people/publications.ts';
import type { Received } from '../../people/receivers.ts';
import { subscribedTo } from '../../plans/catalogue-plan.ts';
import { serviceNamed, serviceOf } from '../../plans/services-plan.ts';
import type { SubscriptionPlan } from '../../plans/subscription-plan.ts';
import type { World } from '../../world.ts';
import { doorsOf } from '../evidence/doors.ts';
import { takenBy } from './narrowed.ts';

/**
 * What publishers put and endpoints saw, and nothing that the product says: no record, no circuit, none of
 * its functions.
 */

/** An event that a subscription wants, with the requests that its endpoint got for it. */
export interface Owed {
  readonly event: Admitted;
  /** All that failures may name: the ordering key, the subscription, the doors, of which one leads to another. */
  readonly names: readonly string[];
  /** In the order of their start. */
  readonly requests: readonly Received[];
}

/** A subscription that nobody touches: what its endpoint gets depends on its endpoint alone. */
export interface Untouched {
  readonly subscriptionId: string;
  readonly plan: SubscriptionPlan;
  readonly owed: readonly Owed[];
  /** All requests, by when the worker heard the answer. */
  readonly heard: readonly Received[];
}

/** What opens a circuit, at least: payments that fail in a row or, in a drain, attempts. */
export function fewestFailures({ circuit: { failedOrderingKeys, firstWindow } }: DeliveryPolicy): number {
  return Math.min(failedOrderingKeys, firstWindow);
}

/**
 * Subscriptions without changes by their partner, but of filter and fields, without those by operators or the
 * lack of a secret or proof, and without a limit.
 */
export function untouchedOf(world: World): Untouched[] {
  const { plan, admitted, receivers } = world;
  if (plan.proof !== undefined) {
    return [];
  }
  const doors = doorsOf(admitted);
  const logs = Map.groupBy(receivers.log, ({ subscriptionId }) => subscriptionId);
  return plan.subscriptions.flatMap((own, index) => {
    const { partnerActs, changes, rateLimit, secretlessUntilMs } = own;
    if (partnerActs.length + changes.length + secretlessUntilMs > 0 || rateLimit !== undefined) {
      return [];
    }
    const subscriptionId = `sub_${index}`;
    const log = logs.get(subscriptionId) ?? [];
    const requestsOf = Map.groupBy(log, ({ eventId }) => eventId);
    // What a partner cancels ends without its endpoint, and frees its payment. Of what was taken in shortly
    // before a filter changed, nobody can tell who looked first.
    const cancelled = new Set(
      (plan.cancels ?? []).filter((one) => one.subscription === index).map((one) => `evt-${one.publication}`),
    );
    const spared = new Set(
      admitted
        .filter((event) => cancelled.has(event.eventId) || takenBy(own, event, world) === 'either')
        .map(({ paymentId }) => paymentId),
    );
    const serviceId = serviceNamed(serviceOf(index, plan.services));
    return [
      {
        subscriptionId,
        plan: own,
        owed: admitted
          .filter(
            (event) =>
              event.serviceId === serviceId &&
              !spared.has(event.paymentId) &&
              takenBy(own, event, world) === 'always' &&
              isWanted(event, subscribedTo(own.eventTypes, plan.catalogue)),
          )
          .map((event) => ({
            event,
            names: [
              subscriptionId,
              `${subscriptionId}.${event.paymentId}`,
              // Numbered events are forwarded to the group of their payment's first one.
              ...doors(event),
            ],
            requests: requestsOf.get(event.eventId) ?? [],
          })),
        heard: log
          .filter(({ heardAtMs }) => heardAtMs !== undefined)
          .sort((one, other) => one.heardAtMs! - other.heardAtMs!),
      },
    ];
  });
}

function isWanted({ publicType }: Admitted, patterns: readonly string[]): boolean {
  return (
    publicType !== undefined &&
    patterns.some((pattern) =>
      pattern.endsWith('*') ? publicType.startsWith(pattern.slice(0, -1)) : pattern === publicType,
    )
  );
}

/** It asks for fewer requests. */
export function isOverload({ reaction: { statusCode, headers } }: Received): boolean {
  return statusCode === 429 || (statusCode === 503 && headers?.['retry-after'] !== undefined);
}

/** When its endpoint first took it, and a worker heard so. */
export function successOf({ requests }: Owed): number | undefined {
  return requests.find(({ heardSuccess }) => heardSuccess)?.heardAtMs;
}
