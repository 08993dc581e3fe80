import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage } from '../../stage.ts';

/** The topic of all alarms of the stage, when they start and when they end. */
export function alarmTopic(scope: Construct, { alarmEmail }: Stage): Topic {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  // `enforceSSL` adds a policy, which replaces the default that admits this account's alarms.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail !== undefined) {
    topic.addSubscription(new EmailSubscription(alarmEmail));
  }
  return topic;
}
