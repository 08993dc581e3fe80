import { Duration, Stack } from 'aws-cdk-lib';
import type { ServiceFunction } from '../../../lib/constructs/functions/service-function.ts';
import { FifoWorkQueue } from '../../../lib/constructs/queues/fifo-work-queue.ts';
import { TimerQueue } from '../../../lib/constructs/queues/timer-queue.ts';
import { visibilitySeconds, WORKER_SECONDS } from '../../../lib/worker-times.ts';
import { STAGES } from '../../../payhooks.config.ts';

const worker = (seconds: number) =>
  ({ shortName: 'deliver', timeout: Duration.seconds(seconds) }) as unknown as ServiceFunction;
const workerTimeout = Duration.seconds(60);

describe.each([
  ['FIFO queue', FifoWorkQueue],
  ['timer queue', TimerQueue],
])('a %s', (_, Made) => {
  test('refuses a worker with a longer timeout than it was made for', () => {
    const queue = new Made(new Stack(), 'Queue', { settings: STAGES.prod, workerTimeout });
    expect(() => queue.feed(worker(61), 10)).toThrow(
      'deliver may take 61 s, but its queue was made for a worker that takes 60 s',
    );
  });

  test('refuses a worker without a timeout', () => {
    const queue = new Made(new Stack(), 'Queue', { settings: STAGES.prod, workerTimeout });
    const endless = { shortName: 'deliver' } as unknown as ServiceFunction;
    expect(() => queue.feed(endless, 10)).toThrow('deliver may take Infinity s');
  });

  test.each([
    ['prod', { ...STAGES.prod, visibilityFactor: 5.9 }, 6],
    ['local', { ...STAGES.local, visibilityFactor: 0.9 }, 1],
  ])('refuses a shorter visibility timeout than AWS advises: %s', (name, settings, least) => {
    expect(() => new Made(new Stack(), 'Queue', { settings, workerTimeout })).toThrow(
      `${name}: the visibility timeout must be at least ${least} times the worker's timeout`,
    );
  });
});

test('records of a killed worker come back after minutes on AWS, and sooner on a laptop', () => {
  const of = (stage: keyof typeof STAGES) =>
    Object.values(WORKER_SECONDS).map((seconds) => visibilitySeconds(seconds, STAGES[stage]));
  expect([of('prod'), of('dev'), of('local')]).toEqual([
    [120, 360, 90],
    [120, 360, 90],
    [30, 90, 23],
  ]);
});
