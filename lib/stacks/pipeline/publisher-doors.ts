import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { PublisherRole } from '../../constructs/publisher-role.ts';
import { OrderedBus } from '../../constructs/queues/ordered-bus.ts';
import type { ShardedRules } from '../../constructs/queues/sharded-rules.ts';
import type { PipelineParts } from './parts.ts';

interface DoorsProps extends Pick<PipelineParts, 'stage' | 'data' | 'events'> {
  readonly rules: ShardedRules;
}

/**
 * The doors for payment events besides the bus that the stage has, each with a role for its publishers.
 *
 * @throws when the stage cannot have an ordered bus
 */
export function addPublisherDoors(stack: Stack, { stage, data, events, rules }: DoorsProps): void {
  if (stage.queuePublishers !== undefined) {
    const role = new PublisherRole(stack, 'PublisherRole', {
      publishers: stage.queuePublishers,
      description: 'Sends payment events straight into events.fifo, in the order of each payment',
    });
    events.queue.grant(role, 'sqs:SendMessage');
    data.allowDataKey(role, { queues: 'sending' });
    new CfnOutput(stack, 'PublisherRoleArn', { value: role.roleArn });
  }
  if (stage.orderedBus !== undefined) {
    const { retentionDays, publishers } = stage.orderedBus;
    const bus = new OrderedBus(stack, 'OrderedBus', {
      stage,
      retentionDays,
      data,
      target: events.queue,
      deadLetters: rules.deadLetters,
    });
    const role = new PublisherRole(stack, 'OrderedPublisherRole', {
      publishers,
      description: 'Publishes payment events to the ordered bus',
    });
    bus.grantPublish(role);
    new CfnOutput(stack, 'OrderedBusArn', { value: bus.busArn });
    new CfnOutput(stack, 'OrderedSubscriberArn', { value: bus.subscriberArn });
    new CfnOutput(stack, 'OrderedPublisherRoleArn', { value: role.roleArn });
  }
}
