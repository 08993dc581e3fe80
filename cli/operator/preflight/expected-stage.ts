import { App, CfnResource } from 'aws-cdk-lib';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import type { StageInAccount } from '../doctor/examined-stage.ts';
import type { Layout } from '../doctor/stacks/stack-states.ts';

/** Which stacks the parts of a stage of our own app will be in. */
export function expectedLayout(stage: Stage): Layout {
  const { loadLab, ...others } = made(stage);
  const parts = { ...others, ...(loadLab && { 'load-lab': loadLab }) };
  return Object.fromEntries(
    Object.entries(parts).map(([part, { stackName }]) => [part, { stack: stackName }]),
  );
}

/** The types of all resources that a stage has, such as AWS::SQS::Queue. */
export function expectedTypes(stage: Stage): string[] {
  const types = Object.values(made(stage))
    .flatMap((part) => part.node.findAll())
    .filter(CfnResource.isCfnResource)
    .map(({ cfnResourceType }) => cfnResourceType);
  return [...new Set(types)].filter((type) => !/^AWS::CDK::|^Custom::/.test(type)).sort();
}

/** From the app itself, without bundling its functions. */
function made(stage: Stage) {
  return addPayhooks(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), stage);
}

/** A stage that will be deployed, for the first time or again. */
export interface PlannedStage extends StageInAccount<Stage> {
  /** What it is to carry. */
  readonly eventsPerSecond: number;
}
