import { workers } from '../../../../../../cli/operator/doctor/functions/workers.ts';
import type { Stage } from '../../../../../../lib/app/stage.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

const STREAM = 'arn:aws:dynamodb:eu-west-1:111122223333:table/history/stream/1';
const QUEUES: Readonly<Record<string, string>> = {
  EventsQueueUrl: 'match',
  DeliveriesQueueUrl: 'deliver',
  RetryTimersUrl: 'wake',
};

/** A stage in which the history's stream is followed by these functions. */
function stage(
  settings: Stage,
  followers: readonly string[],
  {
    qualifier = 'live',
    pollers = {},
  }: { qualifier?: string; pollers?: Readonly<Record<string, object>> } = {},
) {
  const mapping = (name: string) => ({
    UUID: `uuid-${name}`,
    FunctionArn: `arn:aws:lambda:eu-west-1:111122223333:function:${name}:${qualifier}`,
    State: 'Enabled',
    ...(pollers[name] === undefined
      ? { ScalingConfig: { MaximumConcurrency: Reflect.get(settings.concurrency, name) } }
      : { ProvisionedPollerConfig: pollers[name] }),
  });
  return examined(
    settings,
    {
      sqs: ({ QueueUrl }) => ({ Attributes: { QueueArn: QUEUES[QueueUrl] } }),
      dynamodb: () => ({ Table: { LatestStreamArn: STREAM } }),
      lambda: ({ EventSourceArn: source }) => ({
        EventSourceMappings: (source === STREAM ? followers : [source]).map(mapping),
      }),
    },
    { functionOf: (_, id) => ({ name: id.toLowerCase(), role: '' }) },
  );
}

test('a stage with an archive has two who follow the history, and each is looked for by its name', async () => {
  expect(await workers.run(stage(STAGES.prod, ['statistics', 'archive']))).toMatchObject({
    outcome: 'ok',
    seen: 'match, deliver, wake, statistics and archive read, with the workers that the stage gives them',
  });
  expect(await workers.run(stage(STAGES.local, ['statistics']))).toMatchObject({
    outcome: 'ok',
    seen: 'match, deliver, wake and statistics read, with the workers that the stage gives them',
  });
});

test('one that follows it no more is told by its name', async () => {
  expect(await workers.run(stage(STAGES.prod, ['archive']))).toMatchObject({
    outcome: 'failed',
    seen: 'statistics has 0 mappings of its source instead of one',
  });
  expect(await workers.run(stage(STAGES.prod, ['statistics']))).toMatchObject({
    seen: 'archive has 0 mappings of its source instead of one',
  });
});

test('one whose mapping goes past the alias is told: a deployment would not reach it', async () => {
  expect(await workers.run(stage(STAGES.local, ['statistics'], { qualifier: '7' }))).toMatchObject({
    outcome: 'failed',
    seen: expect.stringContaining('the mapping uuid-deliver of deliver is not on its alias live'),
  });
});

test('a mapping with other pollers than the stage gives it is told, and so is one with none', async () => {
  const settings: Stage = { ...STAGES.dev, pollers: { eventsPerSecond: 100, webhooksPerSecond: 200 } };
  const followers = ['statistics', 'archive'];
  const match = { MinimumPollers: 2, MaximumPollers: 2 };
  const deliver = { MinimumPollers: 4, MaximumPollers: 10 };
  expect(await workers.run(stage(settings, followers, { pollers: { match, deliver } }))).toMatchObject({
    outcome: 'ok',
  });
  const others = { match: { ...match, MaximumPollers: 200 } };
  expect(await workers.run(stage(settings, followers, { pollers: others }))).toMatchObject({
    outcome: 'failed',
    seen: 'match has 2 to 200 pollers instead of 2 to 2 pollers; deliver has up to 100 workers instead of 4 to 10 pollers',
  });
  expect(await workers.run(stage(STAGES.dev, followers, { pollers: { deliver } }))).toMatchObject({
    seen: 'deliver has 4 to 10 pollers instead of up to 100 workers',
  });
});
