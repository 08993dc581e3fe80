import { Duration, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, ArnPrincipal, CompositePrincipal, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

interface PublisherRoleProps {
  readonly publishers: NonNullable<Settings['queuePublishers']>;
  readonly description: string;
}

/**
 * What publishers, of any account, take on to send payment events by one door. It may do what it is granted.
 */
export class PublisherRole extends Role {
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
