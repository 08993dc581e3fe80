import type { SQSClient } from '@aws-sdk/client-sqs';
import type { WakePorts } from '../../pipeline/wake/ports.ts';
import { sendAll } from './queue-batch.ts';

/** Source: SendMessage, Amazon SQS API Reference. */
const LONGEST_DELAY_SECONDS = 900;

/** Sends timers on their way; rejects when one was not taken, after all others were sent. */
export function timerQueue(client: SQSClient, queueUrl: string, now: () => number): WakePorts['arm'] {
  return async (armings) => {
    const nowMs = now();
    const records = armings.map(({ timer, dueAtMs }) => ({
      body: JSON.stringify(timer),
      delaySeconds: delaySeconds(dueAtMs - nowMs),
    }));
    const { untaken, internalErrors } = await sendAll(client, queueUrl, records);
    if (untaken.length > 0) {
      throw new Error(`${untaken.length} of ${records.length} timers were not taken`, {
        cause: internalErrors[0],
      });
    }
  };
}

/** Rounded up: a timer that goes off early finds nothing due. */
function delaySeconds(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms / 1_000), 0), LONGEST_DELAY_SECONDS);
}
