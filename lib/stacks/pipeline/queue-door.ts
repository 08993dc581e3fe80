import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { PublisherRole } from '../../constructs/publisher-role.ts';
import type { PipelineParts } from './parts.ts';

/** Lets publishers send straight into `events.fifo`, where the stage names some. */
export function addQueueDoor(stack: Stack, { stage, data, events }: PipelineParts): void {
  if (stage.queuePublishers !== undefined) {
    const role = new PublisherRole(stack, 'PublisherRole', {
      publishers: stage.queuePublishers,
      description: 'Sends payment events straight into events.fifo, in the order of each payment',
    });
    events.queue.grant(role, 'sqs:SendMessage');
    data.allowDataKey(role, { queues: 'sending' });
    new CfnOutput(stack, 'PublisherRoleArn', { value: role.roleArn });
  }
}
