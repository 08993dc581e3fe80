import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { workers } from '../../../../../../cli/operator/doctor/functions/workers.ts';
import type { Stage } from '../../../../../../lib/stage.ts';
import { STAGES } from '../../../../../../lib/stages.ts';

const STREAM = 'arn:aws:dynamodb:eu-west-1:111122223333:table/history/stream/1';
const QUEUES: Readonly<Record<string, string>> = {
  EventsQueueUrl: 'match',
  DeliveriesQueueUrl: 'deliver',
  RetryTimersUrl: 'wake',
};

/** The functions by the ids of their constructs, as the templates have them. */
const CONSTRUCTS: Readonly<Record<string, [string]>> = {
  Match: ['match'],
  Deliver: ['deliver'],
  Wake: ['wake'],
  Tally: ['statistics'],
  Archive: ['archive'],
};

/** A stage in which the history's stream is followed by these functions. */
function stage(settings: Stage, ...followers: readonly string[]): ExaminedStage {
  return stageOn('live', settings, followers);
}

function stageOn(qualifier: string, settings: Stage, followers: readonly string[]): ExaminedStage {
  const mapping = (name: string) => ({
    UUID: `uuid-${name}`,
    FunctionArn: `arn:aws:lambda:eu-west-1:111122223333:function:${name}:${qualifier}`,
    State: 'Enabled',
    ScalingConfig: { MaximumConcurrency: Reflect.get(settings.concurrency, name) },
  });
  return {
    settings,
    output: (_: string, name: string) => name,
    named: async (_: string, __: string, id: string) => CONSTRUCTS[id] ?? [],
    clients: {
      sqs: { send: async ({ input }: Call) => ({ Attributes: { QueueArn: QUEUES[input.QueueUrl ?? ''] } }) },
      dynamodb: { send: async () => ({ Table: { LatestStreamArn: STREAM } }) },
      lambda: {
        send: async ({ input: { EventSourceArn: source = '' } }: Call) => ({
          EventSourceMappings: (source === STREAM ? followers : [source]).map(mapping),
        }),
      },
    },
  } as unknown as ExaminedStage;
}

interface Call {
  readonly input: { readonly QueueUrl?: string; readonly EventSourceArn?: string };
}

test('a stage with an archive has two who follow the history, and each is looked for by its name', async () => {
  expect(await workers.run(stage(STAGES.prod, 'statistics', 'archive'))).toMatchObject({
    outcome: 'ok',
    seen: 'match, deliver, wake, statistics and archive read, with the workers that the stage gives them',
  });
  expect(await workers.run(stage(STAGES.local, 'statistics'))).toMatchObject({
    outcome: 'ok',
    seen: 'match, deliver, wake and statistics read, with the workers that the stage gives them',
  });
});

test('one that follows it no more is told by its name', async () => {
  expect(await workers.run(stage(STAGES.prod, 'archive'))).toMatchObject({
    outcome: 'failed',
    seen: 'statistics has 0 mappings of its source instead of one',
  });
  expect(await workers.run(stage(STAGES.prod, 'statistics'))).toMatchObject({
    seen: 'archive has 0 mappings of its source instead of one',
  });
});

test('one whose mapping goes past the alias is told: a deployment would not reach it', async () => {
  expect(await workers.run(stageOn('7', STAGES.local, ['statistics']))).toMatchObject({
    outcome: 'failed',
    seen: expect.stringContaining('the mapping uuid-deliver of deliver is not on its alias live'),
  });
});
