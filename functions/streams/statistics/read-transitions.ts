import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { readMessage } from '../../adapters/dynamodb/history/message-item.ts';
import { FORMAT_VERSION } from '../../adapters/dynamodb/readable.ts';
import { streamPosition } from '../../adapters/dynamodb/stream-position.ts';
import { historyTable, isMessageItem } from '../../adapters/dynamodb/table-keys.ts';
import { unmarshalled } from '../../adapters/dynamodb/unmarshalled.ts';
import {
  type CountedRecord,
  countedRecordSchema,
  type Transition,
} from '../../core/statistics/statistics-of-changes.ts';

type Image = Record<string, AttributeValue>;

/** The attributes to unmarshal. Bodies are not among them. */
const ATTRIBUTES = [
  historyTable.partitionKey,
  historyTable.sortKey,
  FORMAT_VERSION,
  ...Object.keys(countedRecordSchema.shape),
];

/**
 * The changes of messages in a batch of the history's stream, and errors for those that cannot be read.
 * Ignores deletions.
 */
export function readTransitions(records: readonly DynamoDBRecord[]): {
  readonly transitions: Transition[];
  readonly internalErrors: Error[];
} {
  const transitions: Transition[] = [];
  const internalErrors: Error[] = [];
  for (const { dynamodb: change } of records) {
    const isMessage = isMessageItem(change?.Keys?.[historyTable.sortKey]?.S ?? '');
    if (isMessage && change?.NewImage !== undefined) {
      const before = change.OldImage && recordIn(change.OldImage as Image);
      const after = recordIn(change.NewImage as Image);
      const internalError = [before, after].find((one) => one instanceof Error);
      if (internalError instanceof Error) {
        internalErrors.push(internalError);
      } else {
        transitions.push({
          before: before as CountedRecord | undefined,
          after: after as CountedRecord,
          position: streamPosition(change.SequenceNumber ?? '0'),
        });
      }
    }
  }
  return { transitions, internalErrors };
}

function recordIn(image: Image): CountedRecord | Error {
  const known = Object.fromEntries(ATTRIBUTES.flatMap((name) => (image[name] ? [[name, image[name]]] : [])));
  return readMessage(unmarshalled(known), countedRecordSchema);
}
