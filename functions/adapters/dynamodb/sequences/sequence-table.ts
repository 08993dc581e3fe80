import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type PaymentSequence,
  paymentKey,
  paymentSequenceSchema,
} from '../../../core/sequence/payment-sequence.ts';
import type { HeldName, SequenceStore } from '../../../core/sequence/ports.ts';
import type { Item } from '../marshalled.ts';
import { marshalled } from '../marshalled.ts';
import { dueShard } from '../ordering-keys/due-shard.ts';
import { read } from '../readable.ts';
import { refusalOf } from '../refusal.ts';
import { batchGet } from '../table-batch.ts';
import { sequencesTable } from '../table-keys.ts';
import { heldAddress, heldEventOf, heldItem } from './held-event-item.ts';

interface Options {
  readonly table: string;
  readonly now: () => number;
  readonly onInternalError: (error: unknown) => void;
}

/** An event may come a year after the others of its payment, and still has to find how far the payment is. */
const KEPT_DAYS = 400;

/** Stores how far payments with numbered events are, and the events that wait for their turn. */
export function sequenceTable(
  client: DynamoDBClient,
  { table, now, onInternalError }: Options,
): SequenceStore {
  async function itemsOf(keys: readonly Item[]): Promise<ReadonlyMap<string, Item>> {
    if (keys.length === 0) {
      return new Map();
    }
    const found = await batchGet(client, [{ table, keys }]);
    return new Map((found.get(table) ?? []).map((item) => [nameOf(item), item]));
  }

  return {
    async sequencesOf(payments) {
      const items = await itemsOf(payments.map(sequenceAddress));
      return new Map(
        [...items.values()].map((item) => {
          const payment = String(item[sequencesTable.partitionKey]);
          return [payment, read(item, paymentSequenceSchema, sequencesTable.partitionKey)];
        }),
      );
    },

    async advance(known, next, gap) {
      const written = { ...next, revision: (known?.revision ?? 0) + 1 };
      const item = {
        ...written,
        ...sequenceAddress(next),
        ...(gap === undefined ? {} : { due_shard: dueShard(paymentKey(next)), ...gap }),
        [sequencesTable.timeToLive]: Math.floor(now() / 1_000) + KEPT_DAYS * 86_400,
      };
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: marshalled(item),
            ...(known === undefined
              ? { ConditionExpression: 'attribute_not_exists(#payment)' }
              : {
                  // Nobody has written it since it was read.
                  ConditionExpression: '#revision = :revision',
                  ExpressionAttributeValues: marshalled({ ':revision': known.revision }),
                }),
            ExpressionAttributeNames:
              known === undefined ? { '#payment': sequencesTable.partitionKey } : { '#revision': 'revision' },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return written;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw error;
        }
        // The SDK repeats a call whose answer was lost: then what is there is what we have written.
        return error.Item !== undefined && isSame(unmarshall(error.Item), item) ? written : undefined;
      }
    },

    async hold(held) {
      try {
        await client.send(new PutItemCommand({ TableName: table, Item: marshalled(heldItem(held)) }));
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    },

    async held(names) {
      const items = await itemsOf(names.map(heldAddress));
      return names.map((name) => {
        const item = items.get(nameOf(heldAddress(name)));
        return item && heldEventOf(item);
      });
    },

    async drop(names) {
      const drops = names.map((name: HeldName) =>
        client.send(new DeleteItemCommand({ TableName: table, Key: marshalled(heldAddress(name)) })),
      );
      for (const outcome of await Promise.allSettled(drops)) {
        if (outcome.status === 'rejected') {
          onInternalError(outcome.reason);
        }
      }
    },
  };
}

export function sequenceAddress(payment: Pick<PaymentSequence, 'service_id' | 'payment_id'>): Item {
  return {
    [sequencesTable.partitionKey]: paymentKey(payment),
    [sequencesTable.sortKey]: sequencesTable.sequenceItem,
  };
}

function nameOf(item: Item): string {
  return `${item[sequencesTable.partitionKey]} ${item[sequencesTable.sortKey]}`;
}

function isSame(stored: Item, written: Item): boolean {
  const [one, other] = [stored, written].map((item) => paymentSequenceSchema.safeParse(item).data);
  return isDeepStrictEqual(one, other);
}
