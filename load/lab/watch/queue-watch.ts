import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { LabStage } from '../stage/lab-stage.ts';

/** The largest number of records seen waiting in each queue that should stay short. */
export function queueWatch({ sqs, queues }: Pick<LabStage, 'sqs' | 'queues'>) {
  const max = { events: 0, deliveries: 0 };
  return {
    max,
    async poll(): Promise<void> {
      for (const name of ['events', 'deliveries'] as const) {
        const { Attributes } = await sqs.send(
          new GetQueueAttributesCommand({
            QueueUrl: queues[name],
            AttributeNames: ['ApproximateNumberOfMessages'],
          }),
        );
        max[name] = Math.max(max[name], Number(Attributes?.ApproximateNumberOfMessages ?? 0));
      }
    },
  };
}

/** Repeats the work, with a pause between, until stopped. `failed` rejects when the work does. */
export function repeating(work: () => Promise<void>, sleepMs: number) {
  const stopped = new AbortController();
  const all = (async () => {
    while (!stopped.signal.aborted) {
      await work();
      await delay(sleepMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  const failed = new Promise<never>((_, reject) => all.catch(reject));
  failed.catch(() => {});
  return {
    failed,
    async stop(): Promise<void> {
      stopped.abort();
      await all;
    },
  };
}
