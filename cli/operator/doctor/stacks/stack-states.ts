import { type CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
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

/** The state of each stack of the stage, in the order of their deployment. */
export async function stackStates(client: CloudFormationClient, stage: Stage): Promise<StackState[]> {
  const found = new Map<string, StackState>();
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) {
    for (const { StackName = '', StackStatus, StackStatusReason, Outputs = [] } of Stacks) {
      found.set(StackName, {
        stackName: StackName,
        // A change set that was never executed. The next deployment takes its place.
        status: StackStatus === 'REVIEW_IN_PROGRESS' ? undefined : StackStatus,
        reason: StackStatusReason,
        outputs: Object.fromEntries(
          Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
        ),
      });
    }
  }
  return expectedStacks(stage).map(
    (stackName) => found.get(stackName) ?? { stackName, status: undefined, outputs: {} },
  );
}

function expectedStacks(stage: Stage): string[] {
  return stacksOf(stage).map(({ stackName }) => stackName);
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
