import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { LabStage } from '../stage/lab-stage.ts';

/** The most records that were seen waiting in each of the queues that should stay short. */
export function queueWatch({ sqs, queues }: Pick<LabStage, 'sqs' | 'queues'>) {
  const max = { events: 0, deliveries: 0 };
  return {
    most: max,
    async look(): Promise<void> {
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
