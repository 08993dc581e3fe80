import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { PublisherRole } from '../../constructs/publisher-role.ts';
import type { PipelineParts } from './parts.ts';

/** The role by which publishers send straight into `events.fifo`, where some may. */
export function queueDoor(scope: Construct, { settings, data, events }: PipelineParts): Role | undefined {
  if (settings.queuePublishers === undefined) {
    return undefined;
  }
  const role = new PublisherRole(scope, 'PublisherRole', {
    publishers: settings.queuePublishers,
    description: 'Sends payment events straight into events.fifo, in the order of each payment',
  });
  events.queue.grant(role, 'sqs:SendMessage');
  data.allowDataKey(role, { queues: 'sending' });
  return role;
}
