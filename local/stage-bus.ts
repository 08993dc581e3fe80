import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { ExplainedError } from './explained-error.ts';
import { clientConfig } from './local-account.ts';
import { readOutputs } from './outputs.ts';
import { bus, type PutEvents } from './publish.ts';

/**
 * The bus of a stage: of the running local stack, or of a deployed stage in the account and region of the person's credentials.
 *
 * @throws ExplainedError when the local stack does not run, or the deployed stage has no bus
 */
export async function stageBus(stage: string): Promise<PutEvents> {
  if (stage === 'local') {
    const { endpoint, busName } = await readOutputs();
    return bus(new EventBridgeClient(clientConfig(endpoint)), busName);
  }
  const StackName = `payhooks-${stage}-pipeline`;
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const name = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'BusName')?.OutputValue;
  if (name === undefined) {
    throw new ExplainedError(`The stack ${StackName} has no output BusName: deploy it again.`);
  }
  return bus(new EventBridgeClient(), name);
}
