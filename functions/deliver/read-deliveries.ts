import type { SQSRecord } from 'aws-lambda';
import { en } from 'zod/locales';
import type { DeadLetter } from '../adapters/dead-letters.ts';
import { messageSchema } from '../core/message.ts';
import type { Delivery } from './ports.ts';

/** zod/mini has no words of its own: without these every fault would be explained as "Invalid input". */
const inEnglish = { error: en().localeError };

/** Reads the records of a batch; what is no message that this version knows is told apart, with the reason. */
export function readDeliveries(records: readonly SQSRecord[]): {
  deliveries: Delivery[];
  unreadable: DeadLetter[];
} {
  const deliveries: Delivery[] = [];
  const unreadable: DeadLetter[] = [];
  for (const { messageId, receiptHandle, body, attributes } of records) {
    const parsed = messageSchema.safeParse(parse(body), inEnglish);
    if (parsed.success) {
      deliveries.push({
        recordId: messageId,
        receipt: receiptHandle,
        receiveCount: Number(attributes.ApproximateReceiveCount),
        message: parsed.data,
      });
    } else {
      unreadable.push({
        recordId: messageId,
        group: attributes.MessageGroupId ?? '',
        body,
        reason: 'unreadable',
        explanation: parsed.error.issues
          .map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`)
          .join('; '),
      });
    }
  }
  return { deliveries, unreadable };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
