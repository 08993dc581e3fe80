import { Duration, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, ArnPrincipal, CompositePrincipal, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';
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

interface PublisherRoleProps {
  readonly publishers: NonNullable<Settings['queuePublishers']>;
  readonly description: string;
}

/**
 * What publishers, of any account, take on to send payment events by one door. It may do what it is granted.
 */
class PublisherRole extends Role {
  constructor(scope: Construct, id: string, { publishers, description }: PublisherRoleProps) {
    super(scope, id, {
      description,
      assumedBy:
        publishers === 'account'
          ? new AccountPrincipal(Stack.of(scope).account)
          : new CompositePrincipal(...publishers.map((arn) => new ArnPrincipal(arn))),
      maxSessionDuration: Duration.hours(12),
    });
  }
}
