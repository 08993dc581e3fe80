import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { type Check, judged } from './check.ts';
import type { ExaminedStage } from './examined-stage.ts';

/** Whether each queue, and the history's stream, is read, by as many workers at most as the stage says. */
export const workers: Check = {
  name: 'workers',
  partOf: [4, 25],
  async run(stage) {
    const { match, deliver, wake } = stage.settings.concurrency;
    const wanted = [
      { worker: 'match', source: await queueArn(stage, 'EventsQueueUrl'), most: match },
      { worker: 'deliver', source: await queueArn(stage, 'DeliveriesQueueUrl'), most: deliver },
      { worker: 'wake', source: await queueArn(stage, 'RetryTimersUrl'), most: wake },
      { worker: 'tally', source: await streamArn(stage), most: undefined },
    ];
    const faults = await Promise.all(wanted.map((one) => faultsOf(stage, one)));
    return judged(
      faults.flat(),
      'match, deliver, wake and tally read, with the workers that the stage gives them',
      'Enable it (aws lambda update-event-source-mapping --uuid … --enabled), or deploy the pipeline again; what waits is not lost.',
    );
  },
};

interface Wanted {
  readonly worker: string;
  readonly source: string;
  readonly most: number | undefined;
}

async function faultsOf({ clients }: ExaminedStage, { worker, source, most }: Wanted): Promise<string[]> {
  const { EventSourceMappings = [] } = await clients.lambda.send(
    new ListEventSourceMappingsCommand({ EventSourceArn: source }),
  );
  if (EventSourceMappings.length !== 1) {
    return [`${worker} has ${EventSourceMappings.length} mappings of its source instead of one`];
  }
  const [{ UUID, State, ScalingConfig } = {}] = EventSourceMappings;
  return [
    ...(State === 'Enabled' ? [] : [`the mapping ${UUID} of ${worker} is ${State}`]),
    ...(most === undefined || ScalingConfig?.MaximumConcurrency === most
      ? []
      : [`${worker} has up to ${ScalingConfig?.MaximumConcurrency} workers instead of ${most}`]),
  ];
}

async function queueArn(stage: ExaminedStage, output: string): Promise<string> {
  const { Attributes } = await stage.clients.sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: stage.output('pipeline', output),
      AttributeNames: ['QueueArn'],
    }),
  );
  return Attributes?.QueueArn ?? '';
}

async function streamArn({ clients, output }: ExaminedStage): Promise<string> {
  const { Table } = await clients.dynamodb.send(
    new DescribeTableCommand({ TableName: output('data', 'HistoryTableName') }),
  );
  return Table?.LatestStreamArn ?? '';
}
