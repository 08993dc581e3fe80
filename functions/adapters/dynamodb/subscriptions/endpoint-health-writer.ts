import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { endpointHealthOf } from '../../../core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../core/circuit/health-shape.ts';
import type { EndpointHealthStore } from '../../../core/subscription/ports.ts';
import { type Subscription, subscriptionSchema } from '../../../core/subscription/subscription.ts';
import { untilUncontended } from '../until-uncontended.ts';
import { endpointHealthUpdate } from './endpoint-health-update.ts';
import type { SubscriptionName } from './subscription-reader.ts';

/**
 * Pauses between tries, in ms; two seconds at most in total. In an outage many workers report at the same
 * moment, and every report must count: a failure that was not counted is no longer new when it fails again.
 * Each conflict means that another report was counted, so a worker refused as often as the circuit counts
 * failures has nothing left to report: the circuit is open.
 */
const SLEEPS_MS = Array.from({ length: 24 }, (_, index) => Math.min(10 * (index + 1), 100));
export const MAX_TRIES = SLEEPS_MS.length + 1;

interface Options {
  readonly table: string;
  /** How long after its timer was due sweep checks a circuit. */
  readonly graceMs: number;
}

/**
 * Changes endpoint health by optimistic lock: tries first on what the caller has read, then on the current
 * item. Writes nothing when `change` returns its argument.
 *
 * @returns undefined when the subscription no longer exists
 * @throws ContendedError when every try met a concurrent change
 */
export function endpointHealthWriter(
  client: DynamoDBClient,
  options: Options,
): EndpointHealthStore['changeEndpointHealth'] {
  return (subscription, change) => {
    const once = async (before: EndpointHealth) => {
      const after = change(before);
      if (after === before) {
        return { result: { before, after } };
      }
      const answer = await replace(client, options, subscription, before, after);
      return answer.kind === 'refused'
        ? { again: answer.health }
        : { result: answer.kind === 'written' ? { before, after } : undefined };
    };
    return untilUncontended(endpointHealthOf(subscription), once, SLEEPS_MS);
  };
}

/**
 * The same for callers that must not fail: a change that cannot be written is dropped and passed to
 * `onDropped`.
 */
export function lenientEndpointHealthWriter(
  client: DynamoDBClient,
  options: Options,
  onDropped: (error: unknown, subscription: Subscription) => void,
): EndpointHealthStore['changeEndpointHealth'] {
  const write = endpointHealthWriter(client, options);
  return async (subscription, change) => {
    try {
      return await write(subscription, change);
    } catch (error) {
      onDropped(error, subscription);
      return undefined;
    }
  };
}

/** A single try on what the caller has read. */
export function endpointHealthReplacer(
  client: DynamoDBClient,
  options: Options,
): EndpointHealthStore['replaceEndpointHealth'] {
  return async (subscription, before, after) =>
    (await replace(client, options, subscription, before, after)).kind === 'written';
}

type Answer =
  | { readonly kind: 'written' | 'gone' }
  /** It has changed, or is being changed right now. */
  | { readonly kind: 'refused'; readonly health: EndpointHealth };

async function replace(
  client: DynamoDBClient,
  { table, graceMs }: Options,
  subscription: SubscriptionName,
  before: EndpointHealth,
  after: EndpointHealth,
): Promise<Answer> {
  const update = endpointHealthUpdate(table, subscription, before, after, graceMs);
  try {
    await client.send(
      // `ALL_OLD` returns the current item, so no extra read is needed.
      new UpdateItemCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    );
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof TransactionConflictException) {
      return { kind: 'refused', health: before };
    }
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
    if (error.Item === undefined) {
      return { kind: 'gone' };
    }
    const health = endpointHealthOf(subscriptionSchema.parse(unmarshall(error.Item)));
    // The SDK repeats a call whose response was lost, and then meets its own write.
    return isDeepStrictEqual(health.circuit, after.circuit) && health.state === after.state
      ? { kind: 'written' }
      : { kind: 'refused', health };
  }
}
