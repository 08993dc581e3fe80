import type { Update } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Circuit } from '../core/circuit.ts';
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
  const wanted: Readonly<Record<string, unknown>> = {
    state,
    disabled_reason,
    disabled_at,
    circuit,
    ...dueAttributes(subscription.subscription_id, circuit, graceMs),
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

/** Where sweep finds a circuit that ticks, and when it looks at it; none of both for one that does not. */
export function dueAttributes(subscriptionId: string, circuit: Circuit | undefined, graceMs: number) {
  const tickAt = circuit?.tick_at;
  const isTicking = tickAt !== undefined;
  return {
    due_shard: isTicking ? dueShard(subscriptionId) : undefined,
    check_at: isTicking ? instant(Date.parse(tickAt) + graceMs) : undefined,
  };
}
