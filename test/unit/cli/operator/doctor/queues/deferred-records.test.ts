import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { deferredRecords } from '../../../../../../cli/operator/doctor/queues/deferred-records.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { facts } from '../examined.ts';

const held = (record_id: string, over: object = {}) =>
  JSON.stringify({
    level: 'WARN',
    message: 'record.deferred',
    record_id,
    ordering_key: 'sub_1.pay-1',
    receive_count: 1,
    format_version: 2,
    ...over,
  });

/**
 * A stage with these lines in the log of deliver, and this much of the metric in each of the last minutes.
 */
function stage(name: 'local' | 'prod', lines: readonly string[], metric: readonly number[]) {
  const asked: object[] = [];
  // The paginator takes nothing for a client that is not made like one.
  const logs = Object.assign(Object.create(CloudWatchLogsClient.prototype), {
    send: async (command: object) => {
      asked.push(command);
      return { events: lines.map((message) => ({ message })) };
    },
  });
  const examined = {
    ...facts(STAGES[name]),
    named: async () => ['deliver-logs'],
    clients: {
      logs,
      cloudWatch: { send: async () => ({ Datapoints: metric.map((Sum) => ({ Sum })) }) },
    },
  } as unknown as ExaminedStage;
  return { examined, asked };
}

test('records that wait for a later version are told by their versions and payments, each once', async () => {
  const lines = [
    held('r1'),
    held('r1', { receive_count: 7 }),
    held('r2', { format_version: undefined }),
    held('r3', { ordering_key: 'sub_1.pay-2', format_version: 3 }),
    'REPORT RequestId: 1 record.deferred',
  ];
  const { examined } = stage('prod', lines, [0, 2]);
  expect(await deferredRecords.run(examined)).toEqual({
    outcome: 'warning',
    seen: 'records wait for a deliver that knows format version 2, 3: 3 of 2 payments, received up to 7 times',
    todo: [expect.stringContaining('docs/releasing.md#read-first-write-later')],
    details: ['sub_1.pay-1, record r1', 'sub_1.pay-1, record r2', 'sub_1.pay-2, record r3'],
  });
});

test('where the metric says that none is held the log of a large stage is not looked through', async () => {
  const { examined, asked } = stage('prod', [held('r1')], [0, 0]);
  expect(await deferredRecords.run(examined)).toMatchObject({ outcome: 'ok' });
  expect(asked).toEqual([]);
});

test('the emulator, which makes no metrics, is asked for the lines', async () => {
  const { examined, asked } = stage('local', [held('r1')], []);
  expect(await deferredRecords.run(examined)).toMatchObject({ outcome: 'warning' });
  expect(asked).toEqual([expect.any(FilterLogEventsCommand)]);
  expect(await deferredRecords.run(stage('local', [], []).examined)).toMatchObject({ outcome: 'ok' });
});

test('what the metric tells is not taken for nothing because the log does not show it', async () => {
  expect(await deferredRecords.run(stage('prod', [], [1]).examined)).toMatchObject({ outcome: 'warning' });
});
