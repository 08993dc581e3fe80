import { DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import type { Check } from '../doctor/check.ts';
import { failed, ok } from '../doctor/check.ts';
import { isNoSuchStack } from '../doctor/stacks/stack-states.ts';
import type { PlannedStage } from './planned-stage.ts';

/**
 * The stack that `cdk bootstrap` makes, and the role in it with which CloudFormation deploys. Source: "AWS
 * CDK bootstrapping", AWS CDK Developer Guide.
 */
const STACK = 'CDKToolkit';
const ROLE = 'CloudFormationExecutionRole';

/** The name of the role that CloudFormation deploys with; undefined where there is none. */
export async function deployingRole({ clients }: Pick<PlannedStage, 'clients'>): Promise<string | undefined> {
  try {
    const { StackResources = [] } = await clients.cloudFormation.send(
      new DescribeStackResourcesCommand({ StackName: STACK }),
    );
    return StackResources.find(({ LogicalResourceId }) => LogicalResourceId === ROLE)?.PhysicalResourceId;
  } catch (error) {
    if (isNoSuchStack(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Whether the CDK can deploy here at all. */
export const bootstrap: Check<PlannedStage> = {
  name: 'bootstrap',
  async run(stage) {
    const role = await deployingRole(stage);
    return role === undefined
      ? failed(
          `the CDK has not been here: there is no whole stack ${STACK}`,
          `npx cdk bootstrap aws://${stage.accountId}/${stage.region}`,
        )
      : ok(`CloudFormation deploys as ${role}`);
  },
};
