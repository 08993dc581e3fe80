import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ExplainedError } from '../terminal/explained-error.ts';
import { inRegionOf } from './stage-region.ts';

/**
 * An output of a stack of a deployed stage, in the account of the person's credentials, and the region of the
 * stage or of these.
 *
 * @throws ExplainedError when the stack is there but an older one, without this output
 */
export async function stackOutput(stage: string, part: string, output: string): Promise<string> {
  const StackName = `payhooks-${stage}-${part}`;
  const { Stacks } = await new CloudFormationClient(inRegionOf(stage)).send(
    new DescribeStacksCommand({ StackName }),
  );
  const value = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
  if (value === undefined) {
    throw new ExplainedError(
      `The stack ${StackName} has no output ${output}: is another version deployed than the one checked out here?`,
    );
  }
  return value;
}
