import { visibility } from '../../../../../../cli/operator/doctor/queues/visibility.ts';
import type { Stage } from '../../../../../../lib/app/stage.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

const TIMEOUTS: Readonly<Record<string, number>> = { Match: 20, Deliver: 60, Wake: 15 };

/** A stage whose queues hide records for so many seconds. */
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
