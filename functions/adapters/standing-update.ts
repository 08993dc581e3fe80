import type { Update } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { instant } from '../core/instant.ts';
import type { Standing } from '../core/standing.ts';
import { dueShard } from './due-shard.ts';
import { type SubscriptionName, subscriptionAddress } from './subscription-address.ts';

/**
 * Writes how a subscription stands on its item, on condition that it still stands as `before`. What a standing does not have is removed: the due
 * index holds only the circuits that sweep has to look at.
 *
 * @param more other attributes to be set in the same write
 */
export function standingUpdate(
  table: string,
  subscription: SubscriptionName,
  before: Standing,
  { state, disabled_reason, disabled_at, circuit }: Standing,
  graceMs: number,
  more: Readonly<Record<string, unknown>> = {},
): Update & { readonly UpdateExpression: string } {
  const { tick_at } = circuit;
  const isTicking = tick_at !== undefined;
  const wanted: Readonly<Record<string, unknown>> = {
    state,
    disabled_reason,
    disabled_at,
    circuit,
    due_shard: isTicking ? dueShard(subscription.subscription_id) : undefined,
    check_at: isTicking ? instant(Date.parse(tick_at) + graceMs) : undefined,
    ...more,
  };
  const names = Object.keys(wanted);
  const kept = names.filter((name) => wanted[name] !== undefined);
  const removed = names.filter((name) => wanted[name] === undefined);
  const { revision } = before.circuit;
  // A circuit that was never written has no revision, and neither has a subscription that is not there.
  const isAsRead =
    revision === 0
      ? 'attribute_exists(#state) AND attribute_not_exists(#circuit)'
      : '#circuit.#revision = :revision';
  return {
    TableName: table,
    Key: marshall(subscriptionAddress(subscription)),
    UpdateExpression: [
      `SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`]),
    ].join(' '),
    ConditionExpression: isAsRead,
    ExpressionAttributeNames: Object.fromEntries(
      [...names, ...(revision === 0 ? [] : ['revision'])].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: marshall(
      {
        ...Object.fromEntries(kept.map((name) => [`:${name}`, wanted[name]])),
        ...(revision === 0 ? {} : { ':revision': revision }),
      },
      { removeUndefinedValues: true },
    ),
  };
}
