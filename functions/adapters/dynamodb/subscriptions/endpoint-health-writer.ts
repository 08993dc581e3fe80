import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { standingOf } from '../../../core/circuit/endpoint-health.ts';
import { ContendedError } from '../../../core/errors/contended-error.ts';
import type { Standing } from '../../../core/subscription/subscription.ts';
import { type Subscription, subscriptionSchema } from '../../../core/subscription/subscription.ts';
import type { DeliverPorts } from '../../../pipeline/deliver/ports.ts';
import type { WakePorts } from '../../../pipeline/wake/ports.ts';
import { untilDone } from '../until-done.ts';
import { standingUpdate } from './endpoint-health-update.ts';
import type { SubscriptionName } from './subscription-address.ts';

/**
 * Pauses between tries, in ms; together two seconds at most. Many workers tell of an outage at the same moment, and each has to be heard: a payment
 * whose failure was not counted is no news when it fails again. Each refusal says that somebody else was heard, so whoever is refused as often as a
 * circuit counts failures has nothing left to tell: it is open.
 */
const PAUSES_MS = Array.from({ length: 24 }, (_, index) => Math.min(10 * (index + 1), 100));
export const MOST_TRIES = PAUSES_MS.length + 1;

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
export function standingWriter(client: DynamoDBClient, options: Options): DeliverPorts['changeStanding'] {
  return async (subscription, change) => {
    let changed: { readonly before: Standing; readonly after: Standing } | undefined;
    const once = async (before: Standing) => {
      const after = change(before);
      if (after === before) {
        changed = { before, after };
        return undefined;
      }
      const answer = await replace(client, options, subscription, before, after);
      if (answer.kind === 'written') {
        changed = { before, after };
      }
      return answer.kind === 'refused' ? answer.standing : undefined;
    };
    const left = await untilDone(standingOf(subscription), once, PAUSES_MS);
    if (left !== undefined) {
      throw new ContendedError(MOST_TRIES);
    }
    return changed;
  };
}

/** The same for those who must not fail of it: what cannot be written is dropped, and `onDropped` hears why. */
export function lenientStandingWriter(
  client: DynamoDBClient,
  options: Options,
  onDropped: (error: unknown, subscription: Subscription) => void,
): DeliverPorts['changeStanding'] {
  const write = standingWriter(client, options);
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
export function standingReplacer(client: DynamoDBClient, options: Options): WakePorts['replaceStanding'] {
  return async (subscription, before, after) =>
    (await replace(client, options, subscription, before, after)).kind === 'written';
}

type Answer =
  | { readonly kind: 'written' | 'gone' }
  /** It stands otherwise by now, or is just being changed. */
  | { readonly kind: 'refused'; readonly standing: Standing };

async function replace(
  client: DynamoDBClient,
  { table, graceMs }: Options,
  subscription: SubscriptionName,
  before: Standing,
  after: Standing,
): Promise<Answer> {
  const update = standingUpdate(table, subscription, before, after, graceMs);
  try {
    await client.send(
      // What made it fail comes with the refusal: that is a reading as good as any, and costs none.
      new UpdateItemCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    );
    return { kind: 'written' };
  } catch (error) {
    if (error instanceof TransactionConflictException) {
      return { kind: 'refused', standing: before };
    }
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
    if (error.Item === undefined) {
      return { kind: 'gone' };
    }
    const standing = standingOf(subscriptionSchema.parse(unmarshall(error.Item)));
    // The SDK asks once more when an answer was lost, and is refused by what it has written itself.
    return isDeepStrictEqual(standing.circuit, after.circuit) && standing.state === after.state
      ? { kind: 'written' }
      : { kind: 'refused', standing };
  }
}
