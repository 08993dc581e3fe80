import { type EvaluationResult, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { type Check, failed, judged } from '../doctor/check.ts';
import { ACTIONS_BY_TYPE } from './actions-by-type.ts';
import { deployingRole } from './deployed-so-far.ts';
import type { PlannedStage } from './expected-stage.ts';
import { expectedTypes } from './expected-stage.ts';

/** This many questions to IAM at once: it answers a hundred. */
const AT_ONCE = 90;

/** All that the types of the stage's resources take; a type that nobody has looked up takes nothing. */
export function neededActions(stage: Stage): readonly string[] {
  const actions = expectedTypes(stage).flatMap((type) => ACTIONS_BY_TYPE[type.replace('AWS::', '')] ?? []);
  return [...new Set(actions)].sort();
}

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
    const actions = neededActions(stage.settings);
    const refused: EvaluationResult[] = [];
    for (const ActionNames of chunks(actions, AT_ONCE)) {
      const { EvaluationResults = [] } = await stage.clients.iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: `arn:${partition}:iam::${stage.accountId}:role/${role}`,
          ActionNames: [...ActionNames],
        }),
      );
      refused.push(...EvaluationResults.filter(({ EvalDecision }) => EvalDecision !== 'allowed'));
    }
    const byOrganisation = refused.some(
      ({ OrganizationsDecisionDetail }) => OrganizationsDecisionDetail?.AllowedByOrganizations === false,
    );
    return judged(
      refused.map(({ EvalActionName, EvalDecision }) => `${EvalActionName} is ${EvalDecision}`),
      `CloudFormation may do all ${actions.length} things that the stage's resources take`,
      byOrganisation
        ? 'A policy of the organisation (SCP) forbids it: ask whoever looks after it, with the names of these actions.'
        : `Let the role do it: npx cdk bootstrap --cloudformation-execution-policies … with a policy that allows these actions.`,
    );
  },
};
