import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand } from '@aws-sdk/client-sns';
import { type Check, failed, judged, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';

interface Alarm {
  readonly name: string;
  readonly state: string;
  /** Its section of the runbook: the last line of its description. */
  readonly section: string;
  readonly actionsEnabled: boolean;
}

export const alarms: Check = {
  name: 'alarms',
  notEmulated: 'it makes no metrics of log lines',
  async run(stage) {
    const [all, deployed] = await Promise.all([
      alarmsOf(stage),
      stage.named('observability', 'CloudWatch::Alarm'),
    ]);
    const on = all.filter(({ state }) => state === 'ALARM');
    const gone = deployed
      .map((name) => name.slice(prefixOf(stage).length))
      .filter((name) => !all.some((alarm) => alarm.name === name));
    const mute = all.filter(({ actionsEnabled }) => !actionsEnabled);
    if (deployed.length === 0) {
      return failed('none is deployed', 'See the check stacks.');
    }
    if (on.length + gone.length > 0) {
      return judged(
        [...on.map(({ name }) => `${name} is on`), ...gone.map((name) => `${name} is gone`)],
        '',
        ...new Set(on.map(({ section }) => `Continue at ${section}`)),
        ...(gone.length === 0 ? [] : [`Put them back: ${revertDrift(stage, 'observability')}`]),
      );
    }
    return mute.length === 0
      ? ok(`${all.length} alarms, none is on`)
      : warning(
          `none is on, but nobody would hear of ${mute.map(({ name }) => name).join(', ')}`,
          'Let them tell again: aws cloudwatch enable-alarm-actions',
        );
  },
};

function prefixOf({ output }: ExaminedStage): string {
  return output('observability', 'AlarmNamePrefix');
}

async function alarmsOf(stage: ExaminedStage): Promise<Alarm[]> {
  const AlarmNamePrefix = prefixOf(stage);
  const found: Alarm[] = [];
  const pages = paginateDescribeAlarms(
    { client: stage.clients.cloudWatch },
    { AlarmNamePrefix, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] },
  );
  for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
    for (const { AlarmName = '', AlarmDescription = '', StateValue = '', ActionsEnabled = true } of [
      ...MetricAlarms,
      ...CompositeAlarms,
    ]) {
      found.push({
        name: AlarmName.slice(AlarmNamePrefix.length),
        state: StateValue,
        section: /^Runbook: (\S+)$/m.exec(AlarmDescription)?.[1] ?? 'docs/operations.md',
        actionsEnabled: ActionsEnabled,
      });
    }
  }
  return found;
}

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
