import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ExplainedError } from './explained-error.ts';

/**
 * An output of a stack of a deployed stage, in the account and region of the person's credentials.
 *
 * @throws ExplainedError when the stack is there but an older one, without this output
 */
export async function stackOutput(stage: string, part: string, output: string): Promise<string> {
  const StackName = `payhooks-${stage}-${part}`;
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const value = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
  if (value === undefined) {
    throw new ExplainedError(`The stack ${StackName} has no output ${output}: deploy it again.`);
  }
  return value;
}
