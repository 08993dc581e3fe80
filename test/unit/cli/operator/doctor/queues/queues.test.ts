import { queues } from '../../../../../../cli/operator/doctor/queues/queues.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

/** A stage whose queues are empty but for what is hidden, with these maxima by the name of the metric. */
function stage(maxima: Readonly<Record<string, number>>) {
  return examined(STAGES.prod, {
    sqs: () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
    cloudWatch({ MetricName, Dimensions }) {
      const Maximum = maxima[`${MetricName} ${Dimensions[0].Value}`];
      return { Datapoints: Maximum === undefined ? [] : [{ Maximum }] };
    },
  });
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
    todo: ['Go on at docs/operations.md#records-too-old'],
  });
});

test('a timer may have been sent to wait for a quarter of an hour', async () => {
  expect(await queues.run(stage({ 'ApproximateAgeOfOldestMessage RetryTimersUrl': 1_100 }))).toMatchObject({
    outcome: 'ok',
  });
});
