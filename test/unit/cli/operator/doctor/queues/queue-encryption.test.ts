import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { queueEncryption } from '../../../../../../cli/operator/doctor/queues/queue-encryption.ts';
import { STAGES } from '../../../../../../lib/stages.ts';

function stage(attributes: Readonly<Record<string, object>>): ExaminedStage {
  return {
    settings: STAGES.prod,
    output: (_: string, name: string) => name,
    clients: {
      sqs: {
        send: async ({ input }: { input: { QueueUrl: string } }) => ({
          Attributes: attributes[input.QueueUrl] ?? { SqsManagedSseEnabled: 'true' },
        }),
      },
    },
  } as unknown as ExaminedStage;
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
