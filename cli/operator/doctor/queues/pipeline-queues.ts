import { GetQueueAttributesCommand, type QueueAttributeName } from '@aws-sdk/client-sqs';
import type { Part } from '../../../../lib/recorded-deployment.ts';
import type { ExaminedStage } from '../examined-stage.ts';

export const PIPELINE_QUEUES = [
  'EventsQueueUrl',
  'EventsDeadLettersUrl',
  'DeliveriesQueueUrl',
  'DeliveriesDeadLettersUrl',
  'RetryTimersUrl',
  'RetryTimersDeadLettersUrl',
  'StatisticsDeadLettersUrl',
  'RuleDeadLettersUrl',
] as const;

export async function attributesOf(
  { clients, output }: Pick<ExaminedStage, 'clients' | 'output'>,
  queue: { readonly part?: Part | undefined; readonly output: string },
  ...AttributeNames: QueueAttributeName[]
): Promise<Partial<Record<string, string>>> {
  const QueueUrl = output(queue.part ?? 'pipeline', queue.output);
  const { Attributes = {} } = await clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames }),
  );
  return Attributes;
}

/** Reads attributes of each queue of the pipeline, and names the queues with a problem. */
export async function queueProblems(
  stage: ExaminedStage,
  AttributeNames: QueueAttributeName[],
  faultOf: (attributes: Partial<Record<string, string>>) => string | undefined,
): Promise<string[]> {
  const faults = await Promise.all(
    PIPELINE_QUEUES.map(async (name) => {
      const internalError = faultOf(await attributesOf(stage, { output: name }, ...AttributeNames));
      return internalError === undefined ? [] : [`${name.replace(/Url$/, '')} ${internalError}`];
    }),
  );
  return faults.flat();
}
