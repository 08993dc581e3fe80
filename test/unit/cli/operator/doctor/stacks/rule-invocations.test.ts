import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { ruleInvocations } from '../../../../../../cli/operator/doctor/stacks/rule-invocations.ts';
import { STAGES } from '../../../../../../lib/stages.ts';

interface Query {
  readonly Id: string;
  readonly Expression: string;
}

/** A stage of whose rules CloudWatch has these values, by the name of the metric. */
function stage(values: Readonly<Record<string, readonly number[]>>) {
  const asked: string[] = [];
  const examined = {
    settings: STAGES.dev,
    output: () => 'payhooks-dev',
    clients: {
      cloudWatch: {
        send: async ({ input }: { input: { MetricDataQueries: readonly Query[] } }) => ({
          MetricDataResults: input.MetricDataQueries.map(({ Id, Expression }) => {
            asked.push(Expression);
            const [, metricName = ''] = /SUM\((\w+)\)/.exec(Expression) ?? [];
            return { Id, Values: values[metricName] ?? [] };
          }),
        }),
      },
    },
  } as unknown as ExaminedStage;
  return { examined, asked };
}

test('a bus whose rules hand everything over is well, which CloudWatch says by its silence', async () => {
  const { examined, asked } = stage({});
  expect(await ruleInvocations.run(examined)).toMatchObject({
    outcome: 'ok',
    seen: 'no event was given up or lost in the last 3 hours',
  });
  expect(asked).toEqual([
    `SELECT SUM(InvocationsFailedToBeSentToDlq) FROM "AWS/Events" WHERE EventBusName = 'payhooks-dev'`,
    `SELECT SUM(FailedInvocations) FROM "AWS/Events" WHERE EventBusName = 'payhooks-dev'`,
  ]);
});

test('events that are gone are told before those that were given up, with the section that says what to do', async () => {
  const { examined } = stage({ InvocationsFailedToBeSentToDlq: [1, 2], FailedInvocations: [5] });
  expect(await ruleInvocations.run(examined)).toMatchObject({
    outcome: 'failed',
    seen: '3 events reached neither the queue nor the dead letters in the last 3 hours; 5 events were given up in the last 3 hours',
    todo: ['Go on at docs/operations.md#events-lost'],
  });
});

test('events that were given up lie among the dead letters', async () => {
  const { examined } = stage({ FailedInvocations: [1] });
  expect(await ruleInvocations.run(examined)).toMatchObject({
    outcome: 'failed',
    todo: ['Go on at docs/operations.md#rule-failures'],
  });
});
