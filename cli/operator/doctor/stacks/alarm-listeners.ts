import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand } from '@aws-sdk/client-sns';
import { type Check, failed, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';

/** Whether somebody is told when an alarm starts: a topic without a confirmed subscription tells nobody. */
export const alarmListeners: Check = {
  name: 'alarm-listeners',
  partOf: [8],
  notEmulated: 'it makes no metrics of log lines, so no alarm tells anything',
  async run(stage) {
    const topics = await topicsOf(stage);
    if (topics.size === 0) {
      return failed('no alarm tells anything to a topic', 'See the check alarms.');
    }
    const listeners = await Promise.all(
      [...topics].map(async (topic) => [topic, await confirmedOf(stage, topic)] as const),
    );
    const silent = listeners.filter(([, confirmed]) => confirmed === 0).map(([topic]) => topic);
    return judged(
      silent.map((topic) => `nobody listens to ${topic.split(':').at(-1)}`),
      listeners.map(([topic, confirmed]) => `${confirmed} at ${topic.split(':').at(-1)}`).join(', '),
      ...silent.map(
        (topic) =>
          `Subscribe, and confirm the mail that comes: aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint …, or set alarms: { urgent, routine } of ${stage.settings.name} in payhooks.config.ts.`,
      ),
    );
  },
};

/** Whatever the alarms of the stage call when they start; with more than one severity, several. */
async function topicsOf({ clients, output }: ExaminedStage): Promise<ReadonlySet<string>> {
  const topics = new Set<string>();
  const pages = paginateDescribeAlarms(
    { client: clients.cloudWatch },
    {
      AlarmNamePrefix: output('observability', 'AlarmNamePrefix'),
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    },
  );
  for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
    for (const { AlarmActions = [] } of [...MetricAlarms, ...CompositeAlarms]) {
      for (const action of AlarmActions.filter((arn) => arn.split(':')[2] === 'sns')) {
        topics.add(action);
      }
    }
  }
  return topics;
}

/** Until somebody has confirmed it, a subscription has no ARN. */
async function confirmedOf({ clients }: ExaminedStage, TopicArn: string): Promise<number> {
  const { Subscriptions = [] } = await clients.sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  return Subscriptions.filter(({ SubscriptionArn = '' }) => SubscriptionArn.startsWith('arn:')).length;
}
