import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { readMessage } from '../../adapters/dynamodb/history/message-item.ts';
import { FORMAT_VERSION } from '../../adapters/dynamodb/readable.ts';
import { historyTable, isAttemptItem, isMessageItem } from '../../adapters/dynamodb/table-keys.ts';
import { unmarshalled } from '../../adapters/dynamodb/unmarshalled.ts';
import {
  type ArchivedChange,
  archivedAttemptSchema,
  archivedMessageSchema,
} from '../../core/archive/archive-row.ts';

type Image = Record<string, AttributeValue>;

/** A change, and its position in the stream. */
export interface PositionedChange {
  readonly position: string;
  readonly change: ArchivedChange;
}

/**
 * The changes of messages and attempts in a batch of the history's stream, and errors for those that cannot
 * be read. Ignores deletions.
 */
export function readChanges(records: readonly DynamoDBRecord[]): {
  readonly changes: PositionedChange[];
  readonly internalErrors: Error[];
} {
  const changes: PositionedChange[] = [];
  const internalErrors: Error[] = [];
  for (const { dynamodb } of records) {
    const change = dynamodb?.NewImage && changeOf(dynamodb.NewImage as Image, dynamodb.OldImage as Image);
    if (change instanceof Error) {
      internalErrors.push(change);
    } else if (change !== undefined) {
      changes.push({ position: `${dynamodb?.SequenceNumber}-${change.after.message_id}`, change });
    }
  }
  return { changes, internalErrors };
}

/** Undefined for an item that is neither a message nor an attempt: a large resource. */
function changeOf(after: Image, before: Image | undefined): ArchivedChange | Error | undefined {
  const item = after[historyTable.sortKey]?.S ?? '';
  if (isMessageItem(item)) {
    const images = imagesOf(archivedMessageSchema, after, before);
    return images instanceof Error ? images : { kind: 'message', ...images };
  }
  if (isAttemptItem(item)) {
    const images = imagesOf(archivedAttemptSchema, after, before);
    return images instanceof Error ? images : { kind: 'attempt', ...images };
  }
  return undefined;
}

/** Unmarshals only the attributes that are archived, so neither bodies nor answers. */
function imagesOf<Value>(schema: z.ZodMiniObject & z.ZodMiniType<Value>, after: Image, before?: Image) {
  const { partitionKey, sortKey } = historyTable;
  const names = [partitionKey, sortKey, FORMAT_VERSION, ...Object.keys(schema.shape)];
  const valueIn = (image: Image) =>
    readMessage(
      unmarshalled(Object.fromEntries(names.flatMap((name) => (image[name] ? [[name, image[name]]] : [])))),
      schema as z.ZodMiniType<Value>,
    );
  const now = valueIn(after);
  const then = before && valueIn(before);
  const internalError = [then, now].find((one) => one instanceof Error);
  return internalError instanceof Error
    ? internalError
    : { before: then as Value | undefined, after: now as Value };
}
