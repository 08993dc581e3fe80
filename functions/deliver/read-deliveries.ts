import type { SQSRecord } from 'aws-lambda';
import { en } from 'zod/locales';
import type { DeadLetter } from '../adapters/dead-letters.ts';
import { hintSchema } from '../core/hint.ts';
import { messageSchema } from '../core/message.ts';
import type { Delivery, Hinted, Incoming } from './ports.ts';

/** zod/mini has no words of its own: without these every fault would be explained as "Invalid input". */
const inEnglish = { error: en().localeError };

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
    if (read.issues !== undefined) {
      unreadable.push({
        recordId: messageId,
        group: attributes.MessageGroupId ?? '',
        body,
        reason: 'unreadable',
        explanation: read.issues
          .map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`)
          .join('; '),
      });
    } else {
      incoming.push({ ...received, ...read });
    }
  }
  return { incoming, unreadable };
}

type Read =
  | (Pick<Delivery, 'message'> & { readonly issues?: undefined })
  | (Pick<Hinted, 'hint'> & { readonly issues?: undefined })
  | { readonly issues: readonly { readonly path: PropertyKey[]; readonly message: string }[] };

function readBody(body: unknown): Read {
  // A hint says what it wishes; a message has no wish.
  if (typeof body === 'object' && body !== null && 'wish' in body) {
    const hint = hintSchema.safeParse(body, inEnglish);
    return hint.success ? { hint: hint.data } : { issues: hint.error.issues };
  }
  const message = messageSchema.safeParse(body, inEnglish);
  return message.success ? { message: message.data } : { issues: message.error.issues };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
