import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { dueShard } from '../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import { partitionItems } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { read } from '../../../functions/adapters/dynamodb/readable.ts';
import { heldEventOf, heldItem } from '../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import { sequencesTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import {
  type PaymentSequence,
  paymentSequenceSchema,
} from '../../../functions/core/sequence/payment-sequence.ts';
import { gapEndsAtMs } from '../../../functions/core/sequence/steps.ts';
import { gapSignal } from '../../../functions/core/signal/gap-signal.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { Counts } from './restore-report.ts';
import { isExpired, putWhere } from './restore-table.ts';
import { type PaymentStored, restoredSequence } from './restored-sequence.ts';

const WHAT = { keys: sequencesTable, counters: [['revision']] } as const;

interface Copying {
  readonly client: DynamoDBClient;
  readonly tables: { readonly sequences: string; readonly from: string };
  readonly goes: boolean;
  readonly nowMs: number;
  readonly policy: Pick<DeliveryPolicy, 'sequenceGapMs'>;
}

/** Restores the payments of a page, each with all its events that waited then or wait now. */
export async function copySequences(items: readonly Item[], counts: Counts, copying: Copying): Promise<void> {
  counts.lookedAt += items.length;
  // A payment on two pages is seen twice: the second time nothing is missing.
  for (const payment of new Set(items.map((item) => String(item[sequencesTable.partitionKey])))) {
    await copyPayment(payment, counts, copying);
  }
}

/** Events first: what says that they wait must find them. */
async function copyPayment(
  payment: string,
  counts: Counts,
  { client, tables, goes, nowMs, policy }: Copying,
): Promise<void> {
  const of = (table: string) => partitionItems(client, table, sequencesTable, payment);
  const all = await of(tables.from);
  const lasting = all.filter((item) => !isExpired(item, sequencesTable, nowMs));
  const live = await of(tables.sequences);
  const [earlier, now] = [lasting, live].map((some) => storedOf(some)) as [Stored, Stored];
  const { sequence, held, gone, unknown } = restoredSequence(earlier, now);
  counts.expired += all.length - lasting.length;
  counts.ended += gone;
  counts.unknown += unknown;
  counts.same += earlier.held.length - held.length - gone - unknown;

  const put = async (item: Item, there: Item | undefined) =>
    !goes || (await putWhere(client, tables.sequences, WHAT, item, there));
  // What waited for an operator does so again: if it has continued since, releasing it sends nothing twice.
  for (const one of lasting.filter((item) => isStuckItem(item))) {
    const isThere = live.some((other) => other[sequencesTable.sortKey] === one[sequencesTable.sortKey]);
    counts[isThere ? 'same' : (await put(one, undefined)) ? 'missing' : 'overtaken'] += 1;
  }
  for (const one of held) {
    counts[(await put(heldItem(one), undefined)) ? 'missing' : 'overtaken'] += 1;
  }
  if (sequence !== undefined) {
    const item = { ...earlier.item, ...sequence, ...dueOf(sequence, payment, nowMs, policy) };
    const kind = now.item === undefined ? 'missing' : 'older';
    counts[(await put(item, now.item)) ? kind : 'overtaken'] += 1;
  } else if (earlier.item !== undefined) {
    counts[isDeepStrictEqual(earlier.item, now.item) ? 'same' : 'newer'] += 1;
  }
}

function isStuckItem(item: Item): boolean {
  const { sortKey, stuckItem, stuckPrefix } = sequencesTable;
  return item[sortKey] === stuckItem || String(item[sortKey]).startsWith(stuckPrefix);
}

interface Stored extends PaymentStored {
  /** How far the payment is, as stored. */
  readonly item: Item | undefined;
}

/** @throws when something cannot be read: an operator has to mend it, or delete it before it is restored */
function storedOf(items: readonly Item[]): Stored {
  const { partitionKey, sortKey, sequenceItem, earlyPrefix } = sequencesTable;
  const item = items.find((one) => one[sortKey] === sequenceItem);
  const sequence = item && read(item, paymentSequenceSchema, partitionKey);
  const held = items.filter((one) => String(one[sortKey]).startsWith(earlyPrefix)).map(heldEventOf);
  for (const one of [sequence, ...held]) {
    if (one instanceof Error) {
      throw one;
    }
  }
  return { item, sequence: sequence as PaymentSequence | undefined, held: held as PaymentStored['held'] };
}

/** No timer is on its way: sweep has to find what waits, now. */
function dueOf(
  sequence: PaymentSequence,
  payment: string,
  nowMs: number,
  { sequenceGapMs }: Copying['policy'],
): Item {
  const endsAtMs = gapEndsAtMs(sequence, sequenceGapMs);
  return endsAtMs === undefined
    ? { due_shard: undefined, due_at: undefined, check_at: undefined, timer: undefined }
    : {
        due_shard: dueShard(payment),
        due_at: instant(endsAtMs),
        check_at: instant(nowMs),
        timer: gapSignal(sequence),
      };
}
