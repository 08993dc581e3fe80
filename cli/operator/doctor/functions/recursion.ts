import { GetFunctionRecursionConfigCommand } from '@aws-sdk/client-lambda';
import { type Check, judged } from '../check.ts';
import { measured } from '../stacks/measured.ts';

const MINUTES = 60;

/**
 * Whether Lambda lets match, deliver and wake feed the queues that invoke them: else it stops the 17th round,
 * with the rest of the batch.
 */
export const recursion: Check = {
  name: 'recursion',
  items: [9],
  notEmulated: 'it does not stop loops, and reports Terminate whatever the template says',
  async run(stage) {
    const faults = await Promise.all(
      ['Match', 'Deliver', 'Wake'].map(async (id) => {
        const { name: FunctionName } = stage.functionOf('pipeline', id);
        const { RecursiveLoop } = await stage.clients.lambda.send(
          new GetFunctionRecursionConfigCommand({ FunctionName }),
        );
        const dropped = await measured(stage, {
          namespace: 'AWS/Lambda',
          name: 'RecursiveInvocationsDropped',
          dimensions: { FunctionName },
          statistic: 'Sum',
          minutes: MINUTES,
        });
        const sum = dropped.reduce((total, count) => total + count, 0);
        return [
          ...(RecursiveLoop === 'Allow' ? [] : [`${id} is on ${RecursiveLoop}`]),
          ...(sum === 0 ? [] : [`${sum} rounds of ${id} were stopped in the last hour`]),
        ];
      }),
    );
    return judged(
      faults.flat(),
      'match, deliver and wake may go round, and none was stopped in the last hour',
      'Set it: aws lambda put-function-recursion-config --recursive-loop Allow --function-name …',
    );
  },
};
