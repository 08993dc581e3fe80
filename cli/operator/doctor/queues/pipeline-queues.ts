import { GetQueueAttributesCommand, type QueueAttributeName } from '@aws-sdk/client-sqs';
import type { ExaminedStage } from '../examined-stage.ts';

export const PIPELINE_QUEUES = [
  'EventsQueueUrl',
  'EventsDeadLettersUrl',
  'DeliveriesQueueUrl',
  'DeliveriesDeadLettersUrl',
  'RetryTimersUrl',
  'RetryTimersDeadLettersUrl',
  'TallyDeadLettersUrl',
  'RuleDeadLettersUrl',
] as const;

/** Reads attributes of each queue of the pipeline, and names the queues with a problem. */
export async function queueProblems(
  { clients, output }: Pick<ExaminedStage, 'clients' | 'output'>,
  AttributeNames: QueueAttributeName[],
  faultOf: (attributes: Partial<Record<string, string>>) => string | undefined,
): Promise<string[]> {
  const faults = await Promise.all(
    PIPELINE_QUEUES.map(async (name) => {
      const { Attributes = {} } = await clients.sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: output('pipeline', name), AttributeNames }),
      );
      const internalError = faultOf(Attributes);
      return internalError === undefined ? [] : [`${name.replace(/Url$/, '')} ${internalError}`];
    }),
  );
  return faults.flat();
}
