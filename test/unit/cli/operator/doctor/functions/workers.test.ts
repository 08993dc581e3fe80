import { aliases } from '../../../../../../cli/operator/doctor/functions/aliases.ts';
import { workers } from '../../../../../../cli/operator/doctor/functions/workers.ts';
import type { Stage } from '../../../../../../lib/app/stage.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

describe('workers', () => {
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
});

describe('aliases', () => {
  type Alias = { FunctionVersion: string; RoutingConfig?: object } | 'missing';

  function stage(live: Readonly<Record<string, Alias>>) {
    const lambda = ({ FunctionName }: { FunctionName: string }) => {
      if (live[FunctionName] === 'missing') {
        throw Object.assign(new Error('no such alias'), { name: 'ResourceNotFoundException' });
      }
      return live[FunctionName];
    };
    const functions = (part: string) =>
      Object.fromEntries(
        part === 'pipeline' ? Object.keys(live).map((name) => [name, { name, role: `${name}-role` }]) : [],
      );
    return examined(STAGES.prod, { lambda }, { functions });
  }

  test('functions that are on one version each are well', async () => {
    const live = { match: { FunctionVersion: '3', RoutingConfig: {} }, deliver: { FunctionVersion: '12' } };
    expect(await aliases.run(stage(live))).toMatchObject({
      outcome: 'ok',
      seen: '2 functions, each with one version',
    });
  });

  test('the functions that people invoke need no alias', async () => {
    const live = { OnCallLink: 'missing', AnalystLink: 'missing', api: { FunctionVersion: '3' } } as const;
    expect(await aliases.run(stage(live))).toMatchObject({
      outcome: 'ok',
      seen: '1 functions, each with one version',
    });
  });

  test('a canary is told, as one that was left half-way would be', async () => {
    const RoutingConfig = { AdditionalVersionWeights: { 13: 0.1 } };
    expect(await aliases.run(stage({ deliver: { FunctionVersion: '12', RoutingConfig } }))).toMatchObject({
      outcome: 'warning',
      seen: 'deliver is on 12 and 10 % on 13',
    });
  });

  test('a function that nothing can run is a failure', async () => {
    expect(await aliases.run(stage({ deliver: 'missing' }))).toMatchObject({
      outcome: 'failed',
      seen: 'deliver has no alias live',
    });
  });
});
