import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { visibility } from '../../../../../../cli/operator/doctor/queues/visibility.ts';
import type { Stage } from '../../../../../../lib/stage.ts';
import { STAGES } from '../../../../../../lib/stages.ts';

const TIMEOUTS: Readonly<Record<string, number>> = { match: 20, deliver: 60, wake: 15 };

/** A stage whose queues hide records for so many seconds. */
function stage(settings: Stage, hidden: Readonly<Record<string, number>>): ExaminedStage {
  return {
    settings,
    output: (_: string, name: string) => name,
    named: async (_: string, __: string, id: string) => [id.toLowerCase()],
    clients: {
      sqs: {
        send: async ({ input }: { input: { QueueUrl: string } }) => ({
          Attributes: { VisibilityTimeout: String(hidden[input.QueueUrl]) },
        }),
      },
      lambda: {
        send: async ({ input }: { input: { FunctionName: string } }) => ({
          Timeout: TIMEOUTS[input.FunctionName],
        }),
      },
    },
  } as unknown as ExaminedStage;
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
