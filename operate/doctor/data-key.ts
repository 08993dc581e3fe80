import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { type Check, judged, ok } from './check.ts';

const ENCRYPTED = [
  'EventsQueueUrl',
  'EventsDeadLettersUrl',
  'DeliveriesQueueUrl',
  'DeliveriesDeadLettersUrl',
  'RuleDeadLettersUrl',
] as const;

/** Whether the queues with bodies are encrypted with the key of the stage, where it has one. */
export const dataKey: Check = {
  name: 'data-key',
  partOf: [24],
  async run(stage) {
    if (!stage.settings.customerManagedKey) {
      return ok('the stage leaves it to keys that AWS owns');
    }
    const [key = 'none'] = await stage.named('data', 'KMS::Key', 'DataKey');
    const faults = await Promise.all(
      ENCRYPTED.map(async (name) => {
        const { Attributes } = await stage.clients.sqs.send(
          new GetQueueAttributesCommand({
            QueueUrl: stage.output('pipeline', name),
            AttributeNames: ['KmsMasterKeyId'],
          }),
        );
        const used = Attributes?.KmsMasterKeyId ?? 'none of ours';
        return used.endsWith(key) ? [] : [`${name.replace(/Url$/, '')} has ${used}`];
      }),
    );
    return judged(
      faults.flat(),
      `${ENCRYPTED.length} queues with bodies use it`,
      'Deploy the stack pipeline again.',
    );
  },
};
