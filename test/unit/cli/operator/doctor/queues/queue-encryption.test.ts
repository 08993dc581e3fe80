import { queueEncryption } from '../../../../../../cli/operator/doctor/queues/queue-encryption.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

function stage(attributes: Readonly<Record<string, object>>) {
  const sqs = ({ QueueUrl }: { QueueUrl: string }) => ({
    Attributes: attributes[QueueUrl] ?? { SqsManagedSseEnabled: 'true' },
  });
  return examined(STAGES.prod, { sqs });
}

test('a queue is encrypted by a key of ours or of SQS', async () => {
  const ours = { EventsQueueUrl: { KmsMasterKeyId: 'arn:aws:kms:::key/1', SqsManagedSseEnabled: 'false' } };
  expect(await queueEncryption.run(stage(ours))).toMatchObject({
    outcome: 'ok',
    seen: '8 queues are encrypted',
  });
});

test('one that somebody has left open is told', async () => {
  const open = { RuleDeadLettersUrl: { SqsManagedSseEnabled: 'false' } };
  expect(await queueEncryption.run(stage(open))).toMatchObject({
    outcome: 'failed',
    seen: 'RuleDeadLetters is not encrypted',
  });
});
