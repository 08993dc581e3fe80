import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { endpointHealthOf } from '../../../core/circuit/endpoint-health.ts';
import { ContendedError } from '../../../core/errors/contended-error.ts';
import type { EndpointHealth } from '../../../core/subscription/subscription.ts';
import { type Subscription, subscriptionSchema } from '../../../core/subscription/subscription.ts';
import type { DeliverPorts } from '../../../pipeline/deliver/ports.ts';
import type { WakePorts } from '../../../pipeline/wake/ports.ts';
import { untilDone } from '../until-done.ts';
import { endpointHealthUpdate } from './endpoint-health-update.ts';
import type { SubscriptionName } from './subscription-address.ts';

/**
 * Pauses between tries, in ms; together two seconds at most. Many workers tell of an outage at the same moment, and each has to be heard: a payment
 * whose failure was not counted is no news when it fails again. Each refusal says that somebody else was heard, so whoever is refused as often as a
 * circuit counts failures has nothing left to tell: it is open.
 */
const SLEEPS_MS = Array.from({ length: 24 }, (_, index) => Math.min(10 * (index + 1), 100));
export const MAX_TRIES = SLEEPS_MS.length + 1;

interface Options {
  readonly table: string;
  /** Sweep looks at a circuit so long after its tick was due. */
  readonly graceMs: number;
}

/**
 * Changes how a subscription stands: first what the caller has read, then, when somebody else was faster, what stands there now. Writes nothing
 * when `change` answers its argument.
 *
 * @returns undefined when there is no such subscription any more
 * @throws ContendedError when somebody else was faster each time
 */
export function endpointHealthWriter(
  client: DynamoDBClient,
  options: Options,
): DeliverPorts['changeEndpointHealth'] {
  return async (subscription, change) => {
    let changed: { readonly before: EndpointHealth; readonly after: EndpointHealth } | undefined;
    const once = async (before: EndpointHealth) => {
      const after = change(before);
      if (after === before) {
        changed = { before, after };
        return undefined;
      }
      const answer = await replace(client, options, subscription, before, after);
      if (answer.kind === 'written') {
        changed = { before, after };
      }
      return answer.kind === 'refused' ? answer.health : undefined;
    };
    const left = await untilDone(endpointHealthOf(subscription), once, SLEEPS_MS);
    if (left !== undefined) {
      throw new ContendedError(MAX_TRIES);
    }
    return changed;
  };
}

/** The same for those who must not fail of it: what cannot be written is dropped, and `onDropped` hears why. */
export function lenientEndpointHealthWriter(
  client: DynamoDBClient,
  options: Options,
  onDropped: (error: unknown, subscription: Subscription) => void,
): DeliverPorts['changeEndpointHealth'] {
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

/** One try, on what was read. */
export function endpointHealthReplacer(
  client: DynamoDBClient,
  options: Options,
): WakePorts['replaceEndpointHealth'] {
  return async (subscription, before, after) =>
    (await replace(client, options, subscription, before, after)).kind === 'written';
}

type Answer =
  | { readonly kind: 'written' | 'gone' }
  /** It stands otherwise by now, or is just being changed. */
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
      // What made it fail comes with the refusal: that is a reading as good as any, and costs none.
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
    // The SDK asks once more when an answer was lost, and is refused by what it has written itself.
    return isDeepStrictEqual(health.circuit, after.circuit) && health.state === after.state
      ? { kind: 'written' }
      : { kind: 'refused', health };
  }
}
