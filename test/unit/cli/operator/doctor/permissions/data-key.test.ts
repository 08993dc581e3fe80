import { dataKey } from '../../../../../../cli/operator/doctor/permissions/data-key.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

const KEY = 'arn:aws:kms:region:111122223333:key/of-the-stage';

/** A stage whose queues have these keys; all others have that of the stage. */
function stage(keys: Readonly<Record<string, string | undefined>>) {
  const sqs = ({ QueueUrl }: { QueueUrl: string }) => ({
    Attributes: { KmsMasterKeyId: QueueUrl in keys ? keys[QueueUrl] : KEY },
  });
  return examined(STAGES.prod, { sqs }, { output: (_, name) => (name === 'DataKeyArn' ? KEY : name) });
}

test('a stage is well when its queues with bodies use its key, and the dead letters of the rules do not', async () => {
  expect(await dataKey.run(stage({ RuleDeadLettersUrl: undefined }))).toMatchObject({ outcome: 'ok' });
});

test('dead letters that would fail together with their queue are told', async () => {
  expect(await dataKey.run(stage({}))).toMatchObject({
    outcome: 'failed',
    seen: 'RuleDeadLetters would fail together with the events queue',
  });
});

test('a queue with bodies under another key is told', async () => {
  expect(
    await dataKey.run(stage({ RuleDeadLettersUrl: undefined, EventsQueueUrl: undefined })),
  ).toMatchObject({ outcome: 'failed', seen: 'EventsQueue has none of ours' });
});
