import type { SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { DeadLetter } from '../adapters/dead-letters.ts';
import { explanationOf, reasonOf } from '../core/fault-reason.ts';
import { hintSchema } from '../core/hint.ts';
import { messageSchema } from '../core/message.ts';
import type { Delivery, Hinted, Incoming } from './ports.ts';

/** Reads the records of a batch, messages and hints; what is neither, as far as this version knows, is told apart, with the reason. */
export function readDeliveries(records: readonly SQSRecord[]): {
  incoming: Incoming[];
  unreadable: DeadLetter[];
} {
  const incoming: Incoming[] = [];
  const unreadable: DeadLetter[] = [];
  for (const { messageId, receiptHandle, body, attributes } of records) {
    const received = {
      recordId: messageId,
      receipt: receiptHandle,
      receiveCount: Number(attributes.ApproximateReceiveCount),
    };
    const read = readBody(parse(body));
    if (read.error !== undefined) {
      unreadable.push({
        recordId: messageId,
        group: attributes.MessageGroupId ?? '',
        body,
        reason: 'unreadable',
        explanation: explanationOf(read.error, 'record'),
      });
    } else {
      incoming.push({ ...received, ...read });
    }
  }
  return { incoming, unreadable };
}

type Read =
  | (Pick<Delivery, 'message'> & { readonly error?: undefined })
  | (Pick<Hinted, 'hint'> & { readonly error?: undefined })
  | { readonly error: z.core.$ZodError };

function readBody(body: unknown): Read {
  // A hint says what it wishes; a message has no wish.
  if (typeof body === 'object' && body !== null && 'wish' in body) {
    const hint = hintSchema.safeParse(body, { error: reasonOf });
    return hint.success ? { hint: hint.data } : { error: hint.error };
  }
  const message = messageSchema.safeParse(body, { error: reasonOf });
  return message.success ? { message: message.data } : { error: message.error };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
