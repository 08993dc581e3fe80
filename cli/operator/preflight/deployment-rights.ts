import { SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { type Check, failed, judged } from '../doctor/check.ts';
import { deployingRole } from './bootstrap.ts';
import type { PlannedStage } from './planned-stage.ts';

/** What fails late in a deployment when it is not allowed: by then there are tables and keys. */
const NEEDED = [
  'kms:CreateKey',
  'kms:PutKeyPolicy',
  'kms:EnableKeyRotation',
  'kms:TagResource',
  // DynamoDB and SQS use keys for whoever makes a table or a queue.
  'kms:CreateGrant',
  'kms:DescribeKey',
  'dynamodb:CreateTable',
  'sqs:CreateQueue',
  'events:PutRule',
  'iam:CreateRole',
  'iam:PassRole',
  'lambda:CreateFunction',
  'lambda:PutFunctionConcurrency',
  'lambda:CreateEventSourceMapping',
  'scheduler:CreateSchedule',
  'cloudwatch:PutMetricAlarm',
] as const;

/** Source: "Security and permissions", on Lambda Managed Instances, AWS Lambda Developer Guide. */
const NEEDED_FOR_INSTANCES = ['lambda:CreateCapacityProvider', 'lambda:PassCapacityProvider'] as const;

const NEEDED_FOR_ORDERED_BUS = ['events:CreateEventBus', 'events:CreateSubscriber'] as const;

/**
 * Whether CloudFormation may make keys and what hangs on them, by its role and by the organisation: asked of
 * IAM's simulator, nothing is called.
 */
export const deploymentRights: Check<PlannedStage> = {
  name: 'deployment-rights',
  async run(stage) {
    const role = await deployingRole(stage);
    if (role === undefined) {
      return failed('there is no role to ask about', 'Bootstrap first.');
    }
    const [, partition = 'aws'] = stage.caller.split(':');
    const { EvaluationResults = [] } = await stage.clients.iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn: `arn:${partition}:iam::${stage.accountId}:role/${role}`,
        ActionNames: [
          ...NEEDED,
          ...(stage.settings.compute === 'managed-instances' ? NEEDED_FOR_INSTANCES : []),
          ...(stage.settings.orderedBus === undefined ? [] : NEEDED_FOR_ORDERED_BUS),
        ],
      }),
    );
    const refused = EvaluationResults.filter(({ EvalDecision }) => EvalDecision !== 'allowed');
    const byOrganisation = refused.some(
      ({ OrganizationsDecisionDetail }) => OrganizationsDecisionDetail?.AllowedByOrganizations === false,
    );
    return judged(
      refused.map(({ EvalActionName, EvalDecision }) => `${EvalActionName} is ${EvalDecision}`),
      `CloudFormation may make keys, tables, queues, roles and functions`,
      byOrganisation
        ? 'A policy of the organisation (SCP) forbids it: ask whoever looks after it, with the names of these actions.'
        : `Let the role do it: npx cdk bootstrap --cloudformation-execution-policies … with a policy that allows these actions.`,
    );
  },
};
