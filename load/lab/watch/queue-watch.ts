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
