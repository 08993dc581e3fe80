import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { type ListSubscriptionsByTopicCommandInput, SNSClient } from '@aws-sdk/client-sns';
import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { alarmListeners } from '../../../../../../cli/operator/doctor/stacks/alarm-listeners.ts';
import { alarms } from '../../../../../../cli/operator/doctor/stacks/alarms.ts';
import { STAGES } from '../../../../../../lib/stages.ts';
import { facts } from '../examined.ts';

const output = () => 'payhooks-prod-observability-';

/** A stage with these alarms, by name: their sections of the runbook. All are on. */
function stage(sections: Readonly<Record<string, string>>): ExaminedStage {
  const cloudWatch = new CloudWatchClient({ region: 'eu-west-1' });
  jest.spyOn(cloudWatch, 'send').mockImplementation(async () => ({
    MetricAlarms: Object.entries(sections).map(([name, section]) => ({
      AlarmName: `payhooks-prod-observability-${name}`,
      AlarmDescription: `Something is wrong.\nRunbook: docs/operations.md#${section}`,
      StateValue: 'ALARM',
    })),
  }));
  return { ...facts(STAGES.prod), output, clients: { cloudWatch } } as unknown as ExaminedStage;
}

test('alarms that are on lead to their sections of the runbook, each once', async () => {
  const on = {
    'events-oldest': 'records-too-old',
    'events-waiting': 'records-too-old',
    'api-internal-errors': 'api-internal-errors',
  };
  expect(await alarms.run(stage(on))).toMatchObject({
    todo: ['Go on at docs/operations.md#records-too-old', 'Go on at docs/operations.md#api-internal-errors'],
  });
});

describe('who is told', () => {
  const CONFIRMED = 'arn:aws:sns:eu-west-1:1:pages:0a1b';

  /** A stage whose alarms tell two topics, which have these subscriptions. */
  function toldBy(subscriptions: Readonly<Record<'pages' | 'tickets', readonly string[]>>): ExaminedStage {
    const cloudWatch = new CloudWatchClient({ region: 'eu-west-1' });
    const actions = Object.keys(subscriptions).map((topic) => `arn:aws:sns:eu-west-1:1:${topic}`);
    jest.spyOn(cloudWatch, 'send').mockImplementation(async () => ({
      MetricAlarms: actions.map((action) => ({
        AlarmActions: [action, 'arn:aws:lambda:eu-west-1:1:function:x'],
      })),
    }));
    const sns = new SNSClient({ region: 'eu-west-1' });
    jest.spyOn(sns, 'send').mockImplementation(async ({ input }) => {
      const { TopicArn = '' } = input as ListSubscriptionsByTopicCommandInput;
      const arns = subscriptions[TopicArn.split(':').at(-1) as 'pages' | 'tickets'];
      return { Subscriptions: arns.map((SubscriptionArn) => ({ SubscriptionArn })) };
    });
    return { ...facts(STAGES.prod), output, clients: { cloudWatch, sns } } as unknown as ExaminedStage;
  }

  test('is somebody at every topic: a mail that nobody has confirmed is not enough', async () => {
    const all = toldBy({ pages: [CONFIRMED], tickets: ['PendingConfirmation', CONFIRMED] });
    expect(await alarmListeners.run(all)).toMatchObject({ outcome: 'ok', seen: '1 at pages, 1 at tickets' });
    const some = toldBy({ pages: [CONFIRMED], tickets: ['PendingConfirmation'] });
    expect(await alarmListeners.run(some)).toMatchObject({
      outcome: 'failed',
      seen: 'nobody listens to tickets',
      todo: [expect.stringContaining('--topic-arn arn:aws:sns:eu-west-1:1:tickets ')],
    });
  });

  test('cannot be said where no alarm tells anything', async () => {
    expect(await alarmListeners.run(stage({}))).toMatchObject({ outcome: 'failed' });
  });
});
