import type { Update } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Circuit } from '../../../core/circuit/circuit.ts';
import type { EndpointHealth } from '../../../core/circuit/health-shape.ts';
import { circuitTimer } from '../../../core/ordering/timers.ts';
import { instant } from '../../../core/text/instant.ts';
import { dueShard } from '../ordering-keys/due-shard.ts';
import { type SubscriptionName, subscriptionAddress } from './subscription-reader.ts';

/** What changing the endpoint health of a subscription names of its item, besides the key. */
export const CHANGED_HEALTH_ATTRIBUTES = [
  'state',
  'disabled_reason',
  'disabled_at',
  'challenge_id',
  'circuit',
  'due_shard',
  'check_at',
  'timer',
] as const;

/**
 * Updates the endpoint health of a subscription item, on condition that its circuit has not changed since
 * `before` was read. Fields that are absent now are removed: the due index must hold only circuits that sweep
 * has to check. The rate limit is set by the partner and not written here.
 */
export function endpointHealthUpdate(
  table: string,
  subscription: SubscriptionName,
  before: EndpointHealth,
  { state, disabled_reason, disabled_at, challenge_id, circuit }: EndpointHealth,
  graceMs: number,
): Update & { readonly UpdateExpression: string } {
  const wanted: Readonly<Record<(typeof CHANGED_HEALTH_ATTRIBUTES)[number], unknown>> = {
    state,
    disabled_reason,
    disabled_at,
    challenge_id,
    circuit,
    ...dueAttributes(subscription, circuit, graceMs),
  };
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  const kept = names.filter((name) => wanted[name] !== undefined);
  const removed = names.filter((name) => wanted[name] === undefined);
  const asRead = circuitAsRead(before.circuit);
  return {
    TableName: table,
    Key: marshall(subscriptionAddress(subscription)),
    UpdateExpression: [
      `SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`]),
    ].join(' '),
    ConditionExpression: `attribute_exists(#state) AND ${asRead.condition}`,
    ExpressionAttributeNames: {
      ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ...asRead.names,
    },
    ExpressionAttributeValues: marshall(
      { ...Object.fromEntries(kept.map((name) => [`:${name}`, wanted[name]])), ...asRead.values },
      { removeUndefinedValues: true },
    ),
  };
}

/**
 * The condition that the circuit has not changed since it was read. A circuit that was never written has no
 * revision.
 */
export function circuitAsRead({ revision }: Circuit): {
  readonly condition: string;
  readonly names: Record<string, string>;
  readonly values: Readonly<Record<string, unknown>>;
} {
  return revision === 0
    ? { condition: 'attribute_not_exists(#circuit)', names: { '#circuit': 'circuit' }, values: {} }
    : {
        condition: '#circuit.#revision = :circuit_revision',
        names: { '#circuit': 'circuit', '#revision': 'revision' },
        values: { ':circuit_revision': revision },
      };
}

/** The index attributes by which sweep finds a circuit with a timer; none for a circuit without one. */
export function dueAttributes(subscription: SubscriptionName, circuit: Circuit | undefined, graceMs: number) {
  return circuit?.timer_at === undefined
    ? { due_shard: undefined, check_at: undefined, timer: undefined }
    : {
        due_shard: dueShard(subscription.subscription_id),
        check_at: instant(Date.parse(circuit.timer_at) + graceMs),
        timer: circuitTimer(subscription, circuit),
      };
}
