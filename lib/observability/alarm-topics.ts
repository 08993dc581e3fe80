import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { refuseElsewhere } from '../constructs/elsewhere.ts';
import type { Settings } from '../settings.ts';

/**
 * `urgent`: webhooks are lost, or wait until somebody acts, or soon will. `routine`: anything else; it can
 * wait until the morning.
 */
export type Severity = 'urgent' | 'routine';

/**
 * The topic of each severity: one of its own, unless there is another. Alarms tell it their start and end.
 *
 * @throws when CloudWatch would refuse it: alarms tell topics of their region, of any account
 */
export function alarmTopics(
  scope: Construct,
  { alarms = {}, alarmTopic }: Settings,
): Record<Severity, ITopic> {
  const topicFor = (severity: Severity, id: string) => {
    const recipient = alarms[severity] ?? alarmTopic;
    const isArn = typeof recipient === 'string' && recipient.startsWith('arn:');
    const topic = isArn ? Topic.fromTopicArn(scope, id, recipient) : recipient;
    if (typeof topic !== 'object') {
      return ownTopic(scope, id, topic);
    }
    refuseElsewhere(topic, 'topic of alarms', Stack.of(scope), ['region']);
    return topic;
  };
  return { urgent: topicFor('urgent', 'UrgentAlarms'), routine: topicFor('routine', 'RoutineAlarms') };
}

function ownTopic(scope: Construct, id: string, email: string | undefined): Topic {
  const topic = new Topic(scope, id, { enforceSSL: true });
  // `enforceSSL` adds a policy, which replaces the default that admits this account's alarms.
  for (const [sid, service] of [
    ['AlarmsOfThisAccount', 'cloudwatch'],
    ['BudgetsOfThisAccount', 'budgets'],
  ]) {
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: sid as string,
        principals: [new ServicePrincipal(`${service}.amazonaws.com`)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
      }),
    );
  }
  if (email !== undefined) {
    topic.addSubscription(new EmailSubscription(email));
  }
  return topic;
}
