import type { GetMetricDataInput } from '@aws-sdk/client-cloudwatch';
import { ruleInvocations } from '../../../../../../cli/operator/doctor/stacks/rule-invocations.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

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
    todo: ['Go on at docs/operations.md#events-lost'],
  });
});

test('events that were given up lie among the dead letters', async () => {
  const { stage: dev } = stage({ FailedInvocations: [1] });
  expect(await ruleInvocations.run(dev)).toMatchObject({
    outcome: 'failed',
    todo: ['Go on at docs/operations.md#rule-dead-letters'],
  });
});
