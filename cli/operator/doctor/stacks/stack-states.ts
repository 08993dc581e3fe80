import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { addPayhooks } from '../../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../../lib/app/stage.ts';

export interface StackState {
  readonly stackName: string;
  /** As CloudFormation has it; undefined when there is no such stack, or only a plan to make it. */
  readonly status: string | undefined;
  readonly reason?: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * The state of each stack of the stage, in the order of their deployment. Each is asked for by its name:
 * whoever may see the stage may not list the stacks of the account.
 */
export function stackStates(client: CloudFormationClient, stage: Stage): Promise<StackState[]> {
  return Promise.all(stacksOf(stage).map(({ stackName }) => stackState(client, stackName)));
}

async function stackState(client: CloudFormationClient, stackName: string): Promise<StackState> {
  const { StackStatus, StackStatusReason, Outputs = [] } = (await describedStack(client, stackName)) ?? {};
  return {
    stackName,
    // A change set that was never executed. The next deployment takes its place.
    status: StackStatus === 'REVIEW_IN_PROGRESS' ? undefined : StackStatus,
    reason: StackStatusReason,
    outputs: Object.fromEntries(
      Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    ),
  };
}

async function describedStack(client: CloudFormationClient, StackName: string) {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0];
  } catch (error) {
    if (isNoSuchStack(error)) {
      return undefined;
    }
    throw error;
  }
}

/** What is not there is a ValidationError to CloudFormation. */
export function isNoSuchStack(error: unknown): boolean {
  return error instanceof Error && /does not exist/.test(error.message);
}

/** The types of all resources that a stage has, such as AWS::SQS::Queue. */
export function expectedTypes(stage: Stage): string[] {
  const types = stacksOf(stage)
    .flatMap((stack) => stack.node.findAll())
    .filter(CfnResource.isCfnResource)
    .map(({ cfnResourceType }) => cfnResourceType);
  return [...new Set(types)].filter((type) => !/^AWS::CDK::|^Custom::/.test(type)).sort();
}

/** From the app itself, without bundling its functions. */
function stacksOf(stage: Stage): Stack[] {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  return Object.values(addPayhooks(app, stage)).filter((made) => made instanceof Stack);
}
