import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { type EventSourceMappingConfiguration, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import type { FunctionName } from '../../../../lib/bundling/function-folders.ts';
import { type Pollers, readBy } from '../../../../lib/pollers.ts';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { attributesOf } from '../queues/queues.ts';
import { revertDrift } from '../revert-drift.ts';

/** Whether each queue and the stream of the history is read, by the workers or pollers that the stage says. */
export const workers: Check = {
  name: 'workers',
  partOf: [15, 23, 40],
  async run(stage) {
    const history = await streamArn(stage);
    const wanted: Wanted[] = [
      {
        worker: 'match',
        construct: 'Match',
        source: await queueArn(stage, 'EventsQueueUrl'),
        by: readBy(stage.settings, 'match'),
      },
      {
        worker: 'deliver',
        construct: 'Deliver',
        source: await queueArn(stage, 'DeliveriesQueueUrl'),
        by: readBy(stage.settings, 'deliver'),
      },
      {
        worker: 'wake',
        construct: 'Wake',
        source: await queueArn(stage, 'RetryTimersUrl'),
        by: stage.settings.concurrency.wake,
      },
      { worker: 'statistics', construct: 'Statistics', source: history },
      ...(stage.parts.archive === undefined
        ? []
        : [{ worker: 'archive', construct: 'Archive', part: 'archive', source: history } as const]),
    ];
    const faults = await Promise.all(wanted.map((one) => faultsOf(stage, one)));
    const names = wanted.map(({ worker }) => worker);
    return judged(
      faults.flat(),
      `${names.slice(0, -1).join(', ')} and ${names.at(-1)} read, with the workers that the stage gives them`,
      `Enable it (aws lambda update-event-source-mapping --uuid … --enabled), or put it back: ${revertDrift(stage, 'pipeline')}. What waits is not lost.`,
    );
  },
};

interface Wanted {
  readonly worker: FunctionName;
  /** The id of its construct. */
  readonly construct: string;
  /** @default - the pipeline */
  readonly part?: 'pipeline' | 'archive';
  readonly source: string;
  /** The most workers, or provisioned pollers. @default - as many as come */
  readonly by?: number | Pollers;
}

async function faultsOf(
  stage: ExaminedStage,
  { worker, construct, part = 'pipeline', source, by }: Wanted,
): Promise<string[]> {
  const { EventSourceMappings = [] } = await stage.clients.lambda.send(
    new ListEventSourceMappingsCommand({ EventSourceArn: source }),
  );
  const { name } = stage.functionOf(part, construct);
  // Others may read the same stream. The name comes after the account and before the alias.
  const own = EventSourceMappings.filter(({ FunctionArn = '' }) => FunctionArn.split(':')[6] === name);
  if (own.length !== 1) {
    return [`${worker} has ${own.length} mappings of its source instead of one`];
  }
  const [{ UUID, State, FunctionArn = '', ...mapping } = {}] = own;
  const [seen, wanted] = [readByMapping(mapping), by === undefined ? undefined : said(by)];
  return [
    ...(FunctionArn.split(':')[7] === 'live'
      ? []
      : [`the mapping ${UUID} of ${worker} is not on its alias live`]),
    ...(State === 'Enabled' ? [] : [`the mapping ${UUID} of ${worker} is ${State}`]),
    ...(wanted === undefined || seen === wanted ? [] : [`${worker} has ${seen} instead of ${wanted}`]),
  ];
}

function readByMapping({
  ScalingConfig,
  ProvisionedPollerConfig: pollers,
}: Pick<EventSourceMappingConfiguration, 'ScalingConfig' | 'ProvisionedPollerConfig'>): string {
  return pollers?.MinimumPollers === undefined
    ? said(ScalingConfig?.MaximumConcurrency)
    : said({ minimum: pollers.MinimumPollers, maximum: pollers.MaximumPollers });
}

function said(by: number | undefined | Readonly<Record<keyof Pollers, number | undefined>>): string {
  return typeof by === 'object' ? `${by.minimum} to ${by.maximum} pollers` : `up to ${by} workers`;
}

async function queueArn(stage: ExaminedStage, output: string): Promise<string> {
  return (await attributesOf(stage, { output }, 'QueueArn')).QueueArn ?? '';
}

async function streamArn({ clients, output }: ExaminedStage): Promise<string> {
  const { Table } = await clients.dynamodb.send(
    new DescribeTableCommand({ TableName: output('data', 'HistoryTableName') }),
  );
  return Table?.LatestStreamArn ?? '';
}
