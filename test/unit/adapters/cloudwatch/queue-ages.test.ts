import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { queueAges } from '../../../../functions/adapters/cloudwatch/queue-ages.ts';
import { recordingClient } from '../../../support/recorded-parameters.ts';

test('of a queue the larger age counts: what SQS measured in seconds, or what its worker told in milliseconds', async () => {
  const { client, inputs } = recordingClient<
    CloudWatchClient,
    { MetricDataQueries: { Id: string; MetricStat: { Metric: { Namespace: string } } }[] }
  >(() => ({
    MetricDataResults: [
      { Id: 'q0', Values: [3, 5] },
      { Id: 'w0', Values: [7_000] },
      { Id: 'q1', Values: [] },
    ],
  }));
  const queues = [{ name: 'events.fifo', worker: 'match' }, { name: 'timers' }];
  const ages = await queueAges(client, queues, 0, 'Payhooks/orders');
  expect([...ages]).toEqual([['events.fifo', 7]]);
  expect(inputs[0]?.MetricDataQueries.map(({ Id }) => Id)).toEqual(['q0', 'w0', 'q1']);
  expect(inputs[0]?.MetricDataQueries.map(({ MetricStat }) => MetricStat.Metric.Namespace)).toEqual([
    'AWS/SQS',
    'Payhooks/orders',
    'AWS/SQS',
  ]);
});
