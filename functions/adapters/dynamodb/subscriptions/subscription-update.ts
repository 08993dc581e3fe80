import { isDeepStrictEqual } from 'node:util';
import type { Put, Update } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { endpointHealthOf } from '../../../core/circuit/endpoint-health.ts';
import { expiryTimer } from '../../../core/ordering/timers.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import { dueShard } from '../ordering-keys/due-shard.ts';
import { subscriptionsTable } from '../table-keys.ts';
import { circuitAsRead, dueAttributes } from './endpoint-health-update.ts';
import { subscriptionAddress } from './subscription-reader.ts';

type Attributes = Readonly<Record<string, unknown>>;

/**
 * Updates the changed fields of a subscription item, on condition that the partner has made no other change
 * in between and, where the endpoint health changes, that no worker has changed it either. Other fields that
 * a worker writes at the same time stay.
 *
 * @param more other attributes to set in the same write
 */
export function subscriptionUpdate(
  table: string,
  before: Subscription,
  after: Subscription,
  graceMs: number,
  more: Attributes = {},
): Update {
  const wanted: Attributes = { ...changes(before, after, graceMs), ...more };
  const names = Object.keys(wanted);
  const kept = names.filter((name) => wanted[name] !== undefined);
  const removed = names.filter((name) => wanted[name] === undefined);
  const [health, next] = [endpointHealthOf(before), endpointHealthOf(after)];
  const circuit = isDeepStrictEqual(health, next) ? undefined : circuitAsRead(health.circuit);
  return {
    TableName: table,
    Key: marshall(subscriptionAddress(before)),
    UpdateExpression: [
      `SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`]),
    ].join(' '),
    ConditionExpression: [
      'attribute_exists(#state)',
      before.revision === undefined ? 'attribute_not_exists(#revision)' : '#revision = :known_revision',
      ...(circuit === undefined ? [] : [circuit.condition]),
    ].join(' AND '),
    ExpressionAttributeNames: {
      ...Object.fromEntries([...names, 'state', 'revision'].map((name) => [`#${name}`, name])),
      ...circuit?.names,
    },
    ExpressionAttributeValues: marshall(
      {
        ...Object.fromEntries(kept.map((name) => [`:${name}`, wanted[name]])),
        ':known_revision': before.revision,
        ...circuit?.values,
      },
      { removeUndefinedValues: true },
    ),
  };
}

/** Creates a subscription, on condition that its id is free. */
export function subscriptionPut(table: string, subscription: Subscription, graceMs: number): Put {
  return {
    TableName: table,
    Item: marshall(
      { ...attributesOf(subscription, graceMs), ...subscriptionAddress(subscription) },
      { removeUndefinedValues: true },
    ),
    ConditionExpression: 'attribute_not_exists(#item)',
    ExpressionAttributeNames: { '#item': subscriptionsTable.sortKey },
  };
}

/** The attributes that differ; undefined removes one. */
function changes(before: Subscription, after: Subscription, graceMs: number): Attributes {
  const known = attributesOf(before, graceMs);
  const wanted = attributesOf(after, graceMs);
  const names = [...new Set([...Object.keys(known), ...Object.keys(wanted)])];
  const changed = names.filter((name) => !isDeepStrictEqual(known[name], wanted[name]));
  return Object.fromEntries(changed.map((name) => [name, wanted[name]]));
}

function attributesOf(subscription: Subscription, graceMs: number): Attributes {
  const { expires_at, state, circuit } = subscription;
  const due =
    expires_at === undefined || state === 'deleted'
      ? dueAttributes(subscription, circuit, graceMs)
      : {
          due_shard: dueShard(subscription.subscription_id),
          check_at: expires_at,
          timer: expiryTimer(subscription),
        };
  return { ...subscription, ...due };
}
