import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { type Check, judged } from './check.ts';

const QUEUES = [
  'EventsQueueUrl',
  'EventsDeadLettersUrl',
  'DeliveriesQueueUrl',
  'DeliveriesDeadLettersUrl',
  'RetryTimersUrl',
  'RetryTimersDeadLettersUrl',
  'TallyDeadLettersUrl',
  'RuleDeadLettersUrl',
] as const;

const policySchema = z.object({
  Statement: z.array(
    z.object({
      Effect: z.string(),
      Condition: z.optional(z.object({ Bool: z.optional(z.record(z.string(), z.string())) })),
    }),
  ),
});

/** Whether queues refuse whatever does not come by TLS. */
export const queuePolicies: Check = {
  name: 'queue-policies',
  partOf: [15],
  async run({ clients, output }) {
    const faults = await Promise.all(
      QUEUES.map(async (name) => {
        const { Attributes } = await clients.sqs.send(
          new GetQueueAttributesCommand({
            QueueUrl: output('pipeline', name),
            AttributeNames: ['Policy'],
          }),
        );
        return refusesPlain(Attributes?.Policy) ? [] : [`${name.replace(/Url$/, '')} takes it`];
      }),
    );
    return judged(
      faults.flat(),
      `${QUEUES.length} queues refuse what is not TLS`,
      'Somebody has changed the policy by hand, which CloudFormation does not notice: put the statement back.',
    );
  },
};

function refusesPlain(policy: string | undefined): boolean {
  return (
    policy !== undefined &&
    policySchema
      .parse(JSON.parse(policy))
      .Statement.some(
        ({ Effect, Condition }) =>
          Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport']?.toLowerCase() === 'false',
      )
  );
}
