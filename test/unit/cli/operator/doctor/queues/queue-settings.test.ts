import { dataKey } from '../../../../../../cli/operator/doctor/permissions/data-key.ts';
import { queueEncryption, visibility } from '../../../../../../cli/operator/doctor/queues/queue-settings.ts';
import type { Stage } from '../../../../../../lib/app/stage.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

describe('queue encryption', () => {
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
});

describe('visibility', () => {
  const TIMEOUTS: Readonly<Record<string, number>> = { Match: 20, Deliver: 60, Wake: 15 };

  /** A stage whose queues hide records for this many seconds. */
  function stage(settings: Stage, hidden: Readonly<Record<string, number>>) {
    return examined(settings, {
      sqs: ({ QueueUrl }) => ({ Attributes: { VisibilityTimeout: String(hidden[QueueUrl]) } }),
      lambda: ({ FunctionName }) => ({ Timeout: TIMEOUTS[FunctionName] }),
    });
  }

  const DEPLOYED = { EventsQueueUrl: 120, DeliveriesQueueUrl: 360, RetryTimersUrl: 90 };

  test('queues that hide a record for six times what its worker may take are well', async () => {
    expect(await visibility.run(stage(STAGES.prod, DEPLOYED))).toMatchObject({ outcome: 'ok' });
  });

  test('a queue that gives a record to a second worker too soon is told with both numbers', async () => {
    expect(await visibility.run(stage(STAGES.prod, { ...DEPLOYED, DeliveriesQueueUrl: 120 }))).toMatchObject({
      outcome: 'failed',
      seen: 'Deliveries hides a record for 120 s, and Deliver may take 60 s',
    });
  });

  test('the emulated stage hides them for as long as it says', async () => {
    const local = { EventsQueueUrl: 30, DeliveriesQueueUrl: 90, RetryTimersUrl: 23 };
    expect(await visibility.run(stage(STAGES.local, local))).toMatchObject({ outcome: 'ok' });
  });
});

describe('data key', () => {
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
});
