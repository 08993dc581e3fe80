import type { DeploymentSettings } from '../../../../lib/recorded-deployment.ts';
import type { StackState } from './stack-states.ts';

/** After a first deployment that failed; CloudFormation can only delete such a stack. */
const NEVER_COMPLETE = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'DELETE_FAILED'];

/**
 * What to do about stacks that CloudFormation left half-way, in order. Source: "Stack status codes", AWS
 * CloudFormation User Guide.
 */
export function waysOut(
  broken: readonly StackState[],
  { name, keepsData }: Pick<DeploymentSettings, 'name' | 'keepsData'>,
): string[] {
  const areNew = broken.some(({ status = '' }) => NEVER_COMPLETE.includes(status));
  return [
    ...broken.map(
      ({ stackName, status }) => `${stackName}: ${stepsOf(stackName, status, keepsData).join('; then ')}.`,
    ),
    ...(areNew && keepsData
      ? [
          `Tables, keys and buckets that it made stay behind: adopt or remove them before you deploy again (docs/stages.md#a-first-deployment-that-failed). aws resourcegroupstaggingapi get-resources --resource-type-filters dynamodb:table kms:key s3 --tag-filters Key=project,Values=payhooks Key=stage,Values=${name}`,
        ]
      : []),
  ];
}

function stepsOf(stackName: string, status: string | undefined, isProtected: boolean): string[] {
  const about = `--stack-name ${stackName}`;
  const fix = `fix what its events name (aws cloudformation describe-stack-events ${about})`;
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return [fix, `aws cloudformation continue-update-rollback ${about}`, 'deploy it again'];
  }
  return NEVER_COMPLETE.includes(status ?? '')
    ? [
        fix,
        // The CDK protects a stack before it makes it.
        ...(isProtected
          ? [`aws cloudformation update-termination-protection --no-enable-termination-protection ${about}`]
          : []),
        `aws cloudformation delete-stack ${about}`,
        `aws cloudformation wait stack-delete-complete ${about}`,
        'deploy it again',
      ]
    : [fix, 'deploy it again'];
}
