import { type ContextEntry, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import type { Part } from '../../../../lib/recorded-deployment.ts';
import type { ExaminedStage } from '../examined-stage.ts';

/**
 * What a call would bring along, by the name of the condition key; a text for keys with one value, a list for
 * those with several.
 */
export type Context = Readonly<Record<string, string | readonly string[]>>;

/** Which of some actions a function's role may do, as IAM judges its policies: nothing is called. */
export async function allowedOf(
  stage: ExaminedStage,
  of: { readonly part: Part; readonly id: string },
  actions: readonly string[],
  resource: string,
  context: Context = {},
): Promise<readonly string[]> {
  const { role: name } = stage.functionOf(of.part, of.id);
  const { EvaluationResults = [] } = await stage.clients.iam.send(
    new SimulatePrincipalPolicyCommand({
      // IAM has no region.
      PolicySourceArn: stage.arn('iam', `role/${name}`).replace(`:${stage.region}:`, '::'),
      ActionNames: [...actions],
      ResourceArns: [resource],
      ContextEntries: Object.entries(context).map(entryOf),
    }),
  );
  return EvaluationResults.filter(({ EvalDecision }) => EvalDecision === 'allowed').map(
    ({ EvalActionName = '' }) => EvalActionName,
  );
}

function entryOf([ContextKeyName, value]: [string, string | readonly string[]]): ContextEntry {
  return typeof value === 'string'
    ? { ContextKeyName, ContextKeyType: 'string', ContextKeyValues: [value] }
    : { ContextKeyName, ContextKeyType: 'stringList', ContextKeyValues: [...value] };
}
