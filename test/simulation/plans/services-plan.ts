import * as fc from 'fast-check';
import type { PublicationPlan } from './publication-plan.ts';

/** Services that share queues, tables and workers. */
export interface ServicesPlan {
  readonly count: number;
  /** Whether they use the same payment ids. */
  readonly shareIds: boolean;
}

const NAMES = ['bakery', 'bookshop', 'brewery'];

export const servicesPlan: fc.Arbitrary<ServicesPlan | undefined> = fc.option(
  fc.record({ count: fc.integer({ min: 2, max: NAMES.length }), shareIds: fc.boolean() }),
  { nil: undefined, freq: 2 },
);

/** The id of a service. */
export function serviceNamed(service: number): string {
  return NAMES[service]!;
}

/** Whose subscription it is: they take turns. */
export function serviceOf(subscription: number, services: ServicesPlan | undefined): number {
  return subscription % (services?.count ?? 1);
}

/** Gives each payment to a service or, if they share ids, each event. */
export function amongServices(
  publications: readonly PublicationPlan[],
  services: ServicesPlan | undefined,
): readonly PublicationPlan[] {
  return services === undefined
    ? publications
    : publications.map((publication, index) => ({
        ...publication,
        service: (services.shareIds ? index : publication.payment) % services.count,
      }));
}
