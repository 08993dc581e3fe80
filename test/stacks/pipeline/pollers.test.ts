import { Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from '../../../lib/app/stage.ts';
import type { ServiceFunction } from '../../../lib/constructs/functions/service-function.ts';
import { FifoWorkQueue } from '../../../lib/constructs/queues/fifo-work-queue.ts';
import { TimerQueue } from '../../../lib/constructs/queues/timer-queue.ts';
import { maxWorkersOf, pollersOf } from '../../../lib/pollers.ts';
import { visibilitySeconds, WORKER_SECONDS } from '../../../lib/worker-times.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, synthesized } from '../../support/templates/synthesized.ts';

const polled = (eventsPerSecond: number, webhooksPerSecond = eventsPerSecond): Stage => ({
  ...STAGES.prod,
  pollers: { eventsPerSecond, webhooksPerSecond },
});

test.each([
  [1, { minimum: 2, maximum: 7 }, { minimum: 2, maximum: 50 }],
  [130, { minimum: 2, maximum: 7 }, { minimum: 2, maximum: 50 }],
  [131, { minimum: 3, maximum: 7 }, { minimum: 3, maximum: 50 }],
  [1_000, { minimum: 16, maximum: 16 }, { minimum: 16, maximum: 50 }],
  [13_000, { minimum: 200, maximum: 200 }, { minimum: 200, maximum: 200 }],
])(
  'at %i a second, prod has a poller for 65 a second, and room for all its workers',
  (rate, match, deliver) => {
    expect([pollersOf(polled(rate), 'match'), pollersOf(polled(rate), 'deliver')]).toEqual([match, deliver]);
  },
);

test('the least pollers hold an invocation for each shard of dev and for the rest', () => {
  const { minimum } = pollersOf({ ...polled(1), ...STAGES.dev, pollers: polled(1).pollers! }, 'match')!;
  expect(10 * minimum).toBeGreaterThanOrEqual(STAGES.dev.shards + 1);
});

test.each([0, -1, 13_001, Number.NaN])('a rate of %d is refused, with what is expected', (rate) => {
  expect(() => pollersOf(polled(100, rate), 'deliver')).toThrow(
    `prod: pollers.webhooksPerSecond must be a number above 0, up to 13000, but is ${rate}`,
  );
});

const mappings = (stage: Stage) =>
  propertiesOf(synthesized(stage).pipeline, 'Lambda::EventSourceMapping')
    .filter(({ StartingPosition }) => StartingPosition === undefined)
    .map(({ BatchSize, FunctionResponseTypes, ScalingConfig, ProvisionedPollerConfig }) => ({
      ...{ BatchSize, FunctionResponseTypes, ScalingConfig, ProvisionedPollerConfig },
    }));

test('with the setting, pollers replace the maximum concurrency of match and deliver, and wake keeps its own', () => {
  const common = { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] };
  expect(mappings(polled(100, 300))).toEqual([
    { ...common, ProvisionedPollerConfig: { MinimumPollers: 2, MaximumPollers: 7 } },
    { ...common, ProvisionedPollerConfig: { MinimumPollers: 5, MaximumPollers: 50 } },
    { ...common, ScalingConfig: { MaximumConcurrency: 100 } },
  ]);
});

test('functions reserve what their pollers hold, or Lambda would throttle batches', () => {
  const stage = polled(1_000);
  const reserved = Object.fromEntries(
    propertiesOf(synthesized(stage).pipeline, 'Lambda::Function').map(
      ({ Environment, ReservedConcurrentExecutions }) => [
        Environment.Variables.POWERTOOLS_SERVICE_NAME,
        ReservedConcurrentExecutions,
      ],
    ),
  );
  expect(reserved).toMatchObject({ match: 160, deliver: 500, wake: 100 });
  expect([maxWorkersOf(stage, 'match'), maxWorkersOf(STAGES.prod, 'match')]).toEqual([160, 65]);
});

test('without a rate of webhooks, Lambda’s own pollers read the queue of deliver', () => {
  const stage: Stage = { ...STAGES.prod, pollers: { eventsPerSecond: 100 } };
  expect([pollersOf(stage, 'match')?.minimum, pollersOf(stage, 'deliver')]).toEqual([2, undefined]);
  expect(maxWorkersOf(stage, 'deliver')).toBe(500);
});

test('no stage has it by default, and on an emulated one it changes nothing', () => {
  for (const stage of Object.values(STAGES)) {
    expect(stage.pollers).toBeUndefined();
  }
  expect(mappings({ ...STAGES.local, pollers: polled(100).pollers! })).toEqual(mappings(STAGES.local));
});

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
