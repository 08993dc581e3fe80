import * as z from 'zod';
import { type Check, judged } from '../check.ts';
import { PIPELINE_QUEUES, queueProblems } from './pipeline-queues.ts';

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
  partOf: [28],
  async run(stage) {
    const faults = await queueProblems(stage, ['Policy'], ({ Policy }) =>
      refusesPlain(Policy) ? undefined : 'takes it',
    );
    return judged(
      faults,
      `${PIPELINE_QUEUES.length} queues refuse what is not TLS`,
      'Somebody has changed the policy by hand, which CloudFormation does not notice: put the statement back (aws sqs set-queue-attributes).',
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
