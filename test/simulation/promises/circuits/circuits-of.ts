import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import type { EndpointHealthWrite } from '../../aws/tables/subscription-table.ts';
import type { World } from '../../world.ts';

const indexes = new WeakMap<World, ReadonlyMap<string, readonly EndpointHealthWrite[]>>();

/** The endpoint health of a subscription, change by change. */
export function writesOf(subscriptionId: string, world: World): readonly EndpointHealthWrite[] {
  let index = indexes.get(world);
  if (index === undefined) {
    index = Map.groupBy(world.tables.subscriptions.writes, (write) => write.subscriptionId);
    indexes.set(world, index);
  }
  return index.get(subscriptionId) ?? [];
}

/** Whether a subscription was active and its circuit closed all the time, both ends included. */
export function isAlwaysClosedBetween(
  { subscription_id }: Pick<Subscription, 'subscription_id'>,
  fromMs: number,
  untilMs: number,
  world: World,
): boolean {
  const writes = writesOf(subscription_id, world);
  const first = writes.findLast(({ atMs }) => atMs <= fromMs)?.after;
  const isClosed = (health: EndpointHealthWrite['after'] | undefined) =>
    health === undefined || (health.state === 'active' && health.circuit.state === 'closed');
  return (
    isClosed(first) && writes.every(({ atMs, after }) => atMs <= fromMs || atMs > untilMs || isClosed(after))
  );
}
