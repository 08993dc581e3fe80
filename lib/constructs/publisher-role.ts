import { Duration, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, ArnPrincipal, CompositePrincipal, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { Stage } from '../stage.ts';
import type { FifoWorkQueue } from './queues/fifo-work-queue.ts';

interface PublisherRoleProps {
  readonly publishers: NonNullable<Stage['queuePublishers']>;
  readonly events: FifoWorkQueue;
  readonly data: DataStack;
}

/** What publishers take on to send events straight into `events.fifo`. It sends there, and does nothing else. */
export class PublisherRole extends Role {
  constructor(scope: Construct, id: string, { publishers, events, data }: PublisherRoleProps) {
    super(scope, id, {
      description: 'Sends payment events straight into events.fifo, in the order of each payment',
      assumedBy:
        publishers === 'account'
          ? new AccountPrincipal(Stack.of(scope).account)
          : new CompositePrincipal(...publishers.map((arn) => new ArnPrincipal(arn))),
      maxSessionDuration: Duration.hours(12),
    });
    events.queue.grant(this, 'sqs:SendMessage');
    data.allowDataKey(this, { queues: 'sending' });
  }
}
