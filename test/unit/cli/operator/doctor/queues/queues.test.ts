import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { queues } from '../../../../../../cli/operator/doctor/queues/queues.ts';
import { STAGES } from '../../../../../../lib/stages.ts';

/** A stage whose queues are empty but for what is hidden, with these maxima by the name of the metric. */
function stage(maxima: Readonly<Record<string, number>>): ExaminedStage {
  return {
    settings: STAGES.prod,
    output: (_: string, name: string) => `https://sqs/1/${name}`,
    clients: {
      sqs: { send: async () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }) },
      cloudWatch: {
        send: async ({ input }: { input: { MetricName: string; Dimensions: { Value: string }[] } }) => {
          const maximum = maxima[`${input.MetricName} ${input.Dimensions[0]?.Value}`];
          return { Datapoints: maximum === undefined ? [] : [{ Maximum: maximum }] };
        },
      },
    },
  } as unknown as ExaminedStage;
}

test('queues in which nothing is old are well', async () => {
  expect(await queues.run(stage({ 'RecordAge deliver': 61_000 }))).toMatchObject({
    outcome: 'ok',
    seen: expect.stringContaining('deliveries 0 waiting, the oldest 61 s old'),
  });
});

test('a record that comes again and again is old though SQS does not count it any more', async () => {
  expect(await queues.run(stage({ 'RecordAge match': 3_600_000 }))).toMatchObject({
    outcome: 'failed',
    seen: expect.stringContaining('events 0 waiting, the oldest 3600 s old'),
    todo: ['Go on at docs/operations.md#events-waiting'],
  });
});

test('a timer may have been sent to wait for a quarter of an hour', async () => {
  expect(await queues.run(stage({ 'ApproximateAgeOfOldestMessage RetryTimersUrl': 1_100 }))).toMatchObject({
    outcome: 'ok',
  });
});
