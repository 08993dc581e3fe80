import * as z from 'zod';
import { describeOperation } from '../../operation.ts';
import { stageOperation } from '../../stage/stage-operation.ts';

const count = z.int().min(0);
const queuesSchema = z.array(
  z.object({
    runbook: z.string().describe('The alarm about it, which leads into the runbook: `events-oldest`.'),
    waiting: count.describe('How many records can be received now, as SQS estimates.'),
    oldest_seconds: z
      .number()
      .min(0)
      .optional()
      .describe('How old the oldest was in the last five minutes. Absent if it was not measured.'),
  }),
);

export const showQueues = stageOperation({
  id: 'showQueues',
  method: 'GET',
  path: '/v1/stage/queues',
  scope: 'read',
  summary: 'Show what waits in the whole stage',
  async run(_, { queues, waits }) {
    const [found, waiting] = await Promise.all([queues(), waits()]);
    return {
      status: 200,
      body: {
        ...found,
        oldest_due_seconds: Math.round(waiting.oldestDueMs / 1_000),
        stuck_payments: waiting.stuckKeys,
        messages_behind_circuits: waiting.messagesBehindCircuits,
        open_circuits: waiting.openCircuits,
        draining_circuits: waiting.drainingCircuits,
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  showQueues,
  'Shows queues, dead letters, and what is due. Some seconds old.',
  () => ({
    200: {
      description: 'What waits.',
      schema: z.object({
        work: queuesSchema.describe('Queues with work.'),
        dead_letters: queuesSchema.describe(
          'Dead-letter queues, and events that no rule of the bus takes: empty while all is well.',
        ),
        oldest_due_seconds: z
          .number()
          .min(0)
          .describe('How long the oldest retry or circuit timer has been due; 0: none is.'),
        stuck_payments: count.describe('Payments that wait for an operator.'),
        messages_behind_circuits: count.describe(
          'Messages behind circuits that are not closed, as last counted: at most 1,000 of each.',
        ),
        open_circuits: count.describe('Circuits that let nothing but probes pass.'),
        draining_circuits: count.describe('Circuits that drain their backlog.'),
      }),
    },
  }),
);
