import { CloudWatchClient, type GetMetricDataInput } from '@aws-sdk/client-cloudwatch';
import { type ListSubscriptionsByTopicCommandInput, SNSClient } from '@aws-sdk/client-sns';
import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { alarmListeners, alarms } from '../../../../../../cli/operator/doctor/stacks/alarms.ts';
import { ruleInvocations } from '../../../../../../cli/operator/doctor/stacks/rules.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined, facts } from '../examined.ts';

describe('alarms', () => {
  const output = () => 'payhooks-prod-observability-';

  const nameOf = (name: string) => `payhooks-prod-observability-${name}`;

  /**
   * A stage with these alarms, by name: their sections of the runbook. All are on.
   *
   * @param deployed the names of those that CloudFormation has made
   */
  function stage(
    sections: Readonly<Record<string, string>>,
    { state = 'ALARM', deployed = Object.keys(sections) } = {},
  ): ExaminedStage {
    const cloudWatch = new CloudWatchClient({ region: 'eu-west-1' });
    jest.spyOn(cloudWatch, 'send').mockImplementation(async () => ({
      MetricAlarms: Object.entries(sections).map(([name, section]) => ({
        AlarmName: nameOf(name),
        AlarmDescription: `Something is wrong.\nRunbook: docs/operations.md#${section}`,
        StateValue: state,
      })),
    }));
    return {
      ...facts(STAGES.prod),
      output,
      clients: { cloudWatch },
      named: async (part: string, type: string) =>
        part === 'observability' && type === 'CloudWatch::Alarm' ? deployed.map(nameOf) : [],
    } as unknown as ExaminedStage;
  }

  test('alarms that are on lead to their sections of the runbook, each once', async () => {
    const on = {
      'events-oldest': 'records-too-old',
      'events-waiting': 'records-too-old',
      'api-internal-errors': 'api-internal-errors',
    };
    expect(await alarms.run(stage(on))).toMatchObject({
      todo: [
        'Continue at docs/operations.md#records-too-old',
        'Continue at docs/operations.md#api-internal-errors',
      ],
    });
  });

  test('an alarm that somebody has deleted is told, with what makes it again', async () => {
    const deployed = ['events-lost', 'events-oldest'];
    const all = stage({ 'events-lost': 'events-lost', 'events-oldest': 'records-too-old' }, { state: 'OK' });
    expect(await alarms.run(all)).toMatchObject({ outcome: 'ok', seen: '2 alarms, none is on' });
    const some: Readonly<Record<string, string>>[] = [{ 'events-oldest': 'records-too-old' }, {}];
    for (const left of some) {
      const { outcome, seen, todo } = await alarms.run(stage(left, { state: 'OK', deployed }));
      expect([outcome, seen]).toEqual(['failed', expect.stringContaining('events-lost is gone')]);
      // A plain deployment skips the stack: its template is the same.
      expect(todo).toEqual([
        expect.stringContaining('npx cdk deploy Observability --exclusively --revert-drift -c stage=prod'),
      ]);
    }
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
      expect(await alarmListeners.run(all)).toMatchObject({
        outcome: 'ok',
        seen: '1 at pages, 1 at tickets',
      });
      const some = toldBy({ pages: [CONFIRMED], tickets: ['PendingConfirmation'] });
      expect(await alarmListeners.run(some)).toMatchObject({
        outcome: 'failed',
        seen: 'nobody listens to tickets',
        todo: [
          expect.stringMatching(
            /--topic-arn arn:aws:sns:eu-west-1:1:tickets .*or set alarms: \{ urgent, routine \} of prod in payhooks\.config\.ts/,
          ),
        ],
      });
    });

    test('cannot be said where no alarm tells anything', async () => {
      expect(await alarmListeners.run(stage({}))).toMatchObject({ outcome: 'failed' });
    });
  });
});

describe('rule invocations', () => {
  /** A stage of whose rules CloudWatch has these values, by the name of the metric. */
  function stage(values: Readonly<Record<string, readonly number[]>>) {
    const asked: string[] = [];
    const cloudWatch = ({ MetricDataQueries }: GetMetricDataInput) => ({
      MetricDataResults: MetricDataQueries?.map(({ Id, Expression = '' }) => {
        asked.push(Expression);
        const [, metricName = ''] = /SUM\((\w+)\)/.exec(Expression) ?? [];
        return { Id, Values: values[metricName] ?? [] };
      }),
    });
    const stage = examined(STAGES.dev, { cloudWatch }, { output: () => 'payhooks-dev' });
    return { stage, asked };
  }

  test('a bus whose rules hand everything over is well, which CloudWatch says by its silence', async () => {
    const { stage: dev, asked } = stage({});
    expect(await ruleInvocations.run(dev)).toMatchObject({
      outcome: 'ok',
      seen: 'no event was given up or lost in the last 3 hours',
    });
    expect(asked).toEqual([
      `SELECT SUM(InvocationsFailedToBeSentToDlq) FROM "AWS/Events" WHERE EventBusName = 'payhooks-dev'`,
      `SELECT SUM(FailedInvocations) FROM "AWS/Events" WHERE EventBusName = 'payhooks-dev'`,
    ]);
  });

  test('events that are gone are told before those that were given up, with the section that says what to do', async () => {
    const { stage: dev } = stage({ InvocationsFailedToBeSentToDlq: [1, 2], FailedInvocations: [5] });
    expect(await ruleInvocations.run(dev)).toMatchObject({
      outcome: 'failed',
      seen: '3 events reached neither the queue nor the dead letters in the last 3 hours; 5 events were given up in the last 3 hours',
      todo: ['Continue at docs/operations.md#events-lost'],
    });
  });

  test('events that were given up lie among the dead letters', async () => {
    const { stage: dev } = stage({ FailedInvocations: [1] });
    expect(await ruleInvocations.run(dev)).toMatchObject({
      outcome: 'failed',
      todo: ['Continue at docs/operations.md#rule-dead-letters'],
    });
  });
});
