import { DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { type Check, failed, ok } from '../doctor/check.ts';
import { isNoSuchStack } from '../doctor/stacks/stack-states.ts';
import { isBroken } from '../doctor/stacks/stacks.ts';
import { waysOut } from '../doctor/stacks/way-out.ts';
import type { PlannedStage } from './expected-stage.ts';

/** Whether an earlier deployment was left half-way: CloudFormation updates no such stack. */
export const halfDeployed: Check<PlannedStage> = {
  name: 'half-deployed',
  async run({ stacks, settings }) {
    const underWay = stacks.filter(({ status }) => status?.endsWith('_IN_PROGRESS'));
    const broken = stacks.filter(isBroken);
    if (underWay.length > 0) {
      return failed(
        underWay.map(({ stackName, status }) => `${stackName} is ${status}`).join(', '),
        'A deployment is under way: wait until it has ended.',
      );
    }
    if (broken.length > 0) {
      return failed(
        broken.map(({ stackName, status }) => `${stackName} is ${status}`).join(', '),
        ...waysOut(broken, settings),
      );
    }
    const there = stacks.filter(({ status }) => status !== undefined).length;
    return ok(
      there === 0
        ? 'nothing of the stage is there yet'
        : `${there} of ${stacks.length} stacks are there, all complete`,
    );
  },
};

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
