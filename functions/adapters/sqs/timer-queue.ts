import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Signals } from '../../core/signal/ports.ts';
import { sendAll } from './queue-batch.ts';

/** Source: SendMessage, Amazon SQS API Reference. */
const MAX_DELAY_SECONDS = 900;

/** Sends timers; rejects when one was not accepted, after sending all others. */
export function timerQueue(client: SQSClient, queueUrl: string, now: () => number): Signals['arm'] {
  return async (armings) => {
    const nowMs = now();
    const records = armings.map(({ timer, dueAtMs }) => ({
      body: JSON.stringify(timer),
      delaySeconds: delaySeconds(dueAtMs - nowMs),
    }));
    const { untaken, internalErrors } = await sendAll(client, queueUrl, records);
    if (untaken.length > 0) {
      throw new Error(`${untaken.length} of ${records.length} timers were not accepted`, {
        cause: internalErrors[0],
      });
    }
  };
}

/** Rounded up: a timer that fires early finds nothing due. */
function delaySeconds(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms / 1_000), 0), MAX_DELAY_SECONDS);
}
