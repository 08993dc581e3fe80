import { setTimeout as delay } from 'node:timers/promises';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { emptyPipeline } from '../../../lab/stage/empty-pipeline.ts';

const EVERY_MS = 5;

/**
 * A stage whose empty pipeline takes 40 ms for the first event and 10 ms for the others, and also logs those
 * of another run.
 */
function stageWith({ notes = true, isDown = false } = {}) {
  const lines: string[] = [];
  const note = (run: string, number: number, time_to_start_ms: number) =>
    lines.push(JSON.stringify({ message: 'empty.noted', run, number, time_to_start_ms }));
  const put: object[] = [];
  const events = {
    send: async ({ input }: { input: { Entries: [{ Detail: string }] } }) => {
      if (isDown) throw new Error('no bus');
      const [entry] = input.Entries;
      put.push(entry);
      const { run, number } = JSON.parse(entry.Detail);
      note(run, number, number === 0 ? 4_000 : 10 + number);
      note('another', number, 9_999);
    },
  } as unknown as EventBridgeClient;
  const logs = {
    send: async () => ({
      events: lines.map((message, index) => ({ eventId: String(index), timestamp: index, message })),
    }),
  } as unknown as CloudWatchLogsClient;
  return {
    put,
    stage: { events, busName: 'bus', ...(notes ? { emptySink: { logs, logGroup: 'notes' } } : {}) },
  };
}

async function untilPut(put: readonly object[], count: number): Promise<void> {
  while (put.length < count) await delay(1);
}

test('empty events are put on the bus and measured, without the first, which start the workers', async () => {
  const { stage, put } = stageWith();
  const pipeline = emptyPipeline(stage, 'r1', EVERY_MS);
  await untilPut(put, 5);
  const found = await pipeline.stop();
  expect(put[0]).toEqual({
    EventBusName: 'bus',
    Source: 'payhooks.load',
    DetailType: 'load.empty',
    Detail: '{"run":"r1","number":0}',
  });
  expect(found).toMatchObject({ count: put.length - 3, max: 10 + put.length - 1 });
});

test('events put before measuring do not count', async () => {
  const { stage, put } = stageWith();
  const pipeline = emptyPipeline(stage, 'r1', EVERY_MS);
  await untilPut(put, 6);
  const before = put.length;
  pipeline.countFromHere();
  await untilPut(put, before + 3);
  const found = await pipeline.stop();
  expect(found?.count).toBe(put.length - before);
});
