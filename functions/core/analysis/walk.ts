import type { StageFigures } from './ports.ts';

/** Where a walk over a stage is. Without a subscription: the service has had its turn, and none (left). */
export interface Place {
  readonly service_id: string;
  readonly subscription_id?: string | undefined;
}

const SERVICES_AT_ONCE = 100;

/**
 * All subscriptions of a stage by service and id, and the end of each service: who walks in steps can stop at
 * any place and continue behind it, whatever was added meanwhile.
 *
 * @param only of this service alone
 */
export async function* subscriptionsOf(
  figures: Pick<StageFigures, 'services' | 'subscriptionsOf'>,
  { only, after }: { readonly only?: string | undefined; readonly after?: Place | undefined },
): AsyncGenerator<Place> {
  if (after?.subscription_id !== undefined) {
    yield* ofService(figures, after.service_id, after.subscription_id);
  }
  if (only !== undefined) {
    if (after === undefined) {
      yield* ofService(figures, only);
    }
    return;
  }
  let last = after?.service_id;
  for (;;) {
    const services = await figures.services(SERVICES_AT_ONCE, last);
    for (const service of services) {
      yield* ofService(figures, service);
    }
    last = services.at(-1);
    if (services.length < SERVICES_AT_ONCE) {
      return;
    }
  }
}

async function* ofService(
  figures: Pick<StageFigures, 'subscriptionsOf'>,
  service_id: string,
  after = '',
): AsyncGenerator<Place> {
  for (const subscription_id of await figures.subscriptionsOf(service_id)) {
    if (subscription_id > after) {
      yield { service_id, subscription_id };
    }
  }
  yield { service_id };
}

/** The next places of a walk, at most this many; `next` behind which there may be more. */
export async function steps(
  walk: AsyncGenerator<Place>,
  limit: number,
): Promise<{ readonly places: readonly Place[]; readonly next?: Place }> {
  const places: Place[] = [];
  for await (const place of walk) {
    if (places.length === limit) {
      return { places, next: places.at(-1)! };
    }
    places.push(place);
  }
  return { places };
}

export function isSubscription(place: Place): place is Required<Place> {
  return place.subscription_id !== undefined;
}
