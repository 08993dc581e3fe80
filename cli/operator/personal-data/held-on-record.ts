import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { partitionItems } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { sequencesTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { type PaymentName, paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import { type Action, written } from './written.ts';

/** Source: TransactWriteItems, Amazon DynamoDB API Reference; one of them is the payment. */
const MAX_DELETES = 99;

const { partitionKey, sortKey, sequenceItem, earlyPrefix, stuckPrefix } = sequencesTable;

/** What has to be known of an event that is held; the rest of it may be unreadable. */
const heldSchema = z.object({
  event_id: z.string(),
  sequence: z.int(),
  public_type: z.string().default('unknown'),
  /** Absent when it is stored apart. */
  resource: z.string().optional(),
});

/** Likewise of how far its payment is. */
const sequenceSchema = z.object({
  revision: z.int(),
  early: z.array(z.object({ event_id: z.string(), sequence: z.int() })),
});

/** An event that was early, as it is stored: whole, with its resource. */
export interface HeldOnRecord {
  readonly known: z.infer<typeof heldSchema>;
  readonly item: Readonly<Item>;
}

export interface SequenceOnRecord {
  /** How far the payment is, as stored: ids, numbers and instants. */
  readonly sequence?: Readonly<Item>;
  /** Still to be sent; or nobody knows, since how far the payment is is missing or cannot be read. */
  readonly waiting: readonly HeldOnRecord[];
  /** Have continued, and could not be removed then. */
  readonly left: readonly HeldOnRecord[];
}

export interface HeldData {
  of(payment: PaymentName): Promise<SequenceOnRecord>;
  /**
   * Removes what is left. False when its payment has changed since it was read: then some of it is as it was.
   */
  eraseLeft(onRecord: SequenceOnRecord): Promise<boolean>;
}

export function heldTable(client: DynamoDBClient, table: string): HeldData {
  return {
    async of(payment) {
      const items = await partitionItems(client, table, sequencesTable, paymentKey(payment));
      const sequence = items.find((item) => item[sortKey] === sequenceItem);
      const early = sequenceSchema.safeParse(sequence).data?.early;
      const held = items
        .filter((item) => String(item[sortKey]).startsWith(earlyPrefix))
        .map((item): HeldOnRecord => ({ known: heldSchema.parse(item), item }));
      const stuck = items.filter((item) => String(item[sortKey]).startsWith(stuckPrefix)).map(stuckOnRecord);
      const isLeft = ({ known }: HeldOnRecord) =>
        early !== undefined &&
        !early.some((one) => one.event_id === known.event_id && one.sequence === known.sequence);
      return {
        ...(sequence === undefined ? {} : { sequence }),
        waiting: [...held.filter((one) => !isLeft(one)), ...stuck],
        left: held.filter(isLeft),
      };
    },

    async eraseLeft({ sequence, left }) {
      if (sequence === undefined || left.length === 0) {
        return left.length === 0;
      }
      const { revision } = sequenceSchema.parse(sequence);
      for (const [index, some] of chunks(left, MAX_DELETES).entries()) {
        const actions = [
          advanced(sequence, revision + index),
          ...some.map(({ item }) => ({ Delete: { Key: keyOf(item) } })),
        ];
        if (!(await written(client, table, actions))) {
          return false;
        }
      }
      return true;
    },
  };
}

/** An event that waits for an operator, with its whole text. */
function stuckOnRecord(item: Item): HeldOnRecord {
  const { event_id, sequence = 0 } = JSON.parse(String(item.body));
  return { known: { event_id, sequence, public_type: 'unknown', resource: String(item.body) }, item };
}

/**
 * A worker stores an event before it writes that the event waits. Advancing the revision refuses that write:
 * the worker begins anew, and stores the event again.
 */
function advanced(sequence: Readonly<Item>, known: number): Action {
  return {
    Update: {
      Key: keyOf(sequence),
      UpdateExpression: 'SET #revision = :next',
      ConditionExpression: '#revision = :known',
      ExpressionAttributeNames: { '#revision': 'revision' },
      ExpressionAttributeValues: marshall({ ':known': known, ':next': known + 1 }),
    },
  };
}

function keyOf(item: Readonly<Item>) {
  return marshall({ [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] });
}
