import { type ContextEntry, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { chunks } from '../../../../functions/adapters/dynamodb/chunks.ts';
import type { Part } from '../../../../lib/recorded-deployment.ts';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';
import { EXPECTED, type Expected } from './expected-permissions.ts';

/** This many questions to IAM at once: it takes few a second. */
const AT_ONCE = 4;

/** Whether each function may do what it needs, and not what would be more. */
export const permissions: Check = {
  name: 'permissions',
  async run(stage) {
    const faults: string[] = [];
    // Not every stage tells partners.
    const expected = EXPECTED.filter(({ part, role }) => role !== 'Notices' || role in stage.functions(part));
    for (const some of chunks(expected, AT_ONCE)) {
      faults.push(...(await Promise.all(some.map((one) => faultsOf(stage, one)))).flat());
    }
    const roles = new Set(expected.map(({ role }) => role)).size;
    return judged(
      faults.sort(),
      `${roles} roles may do what they need, and none of what they must not`,
      `Put the policies back: ${revertDrift(stage, 'pipeline', 'api')}; a policy that was added by hand has to be taken away by hand.`,
    );
  },
};

async function faultsOf(
  stage: ExaminedStage,
  { part, role, on, may = [], mayNot = [] }: Expected,
): Promise<string[]> {
  const allowed = await allowedOf(stage, { part, id: role }, [...may, ...mayNot], arnOf(stage, on));
  const name = role.toLowerCase();
  const what = on.replace(/(TableName|QueueUrl|Url)/, '');
  return [
    ...may
      .filter((action) => !allowed.includes(action))
      .map((action) => `${name} may not ${action} on ${what}`),
    ...mayNot
      .filter((action) => allowed.includes(action))
      .map((action) => `${name} may ${action} on ${what}`),
  ];
}

function arnOf(stage: ExaminedStage, on: string): string {
  const [output = '', ...rest] = on.split('/');
  if (output.endsWith('TableName')) {
    return stage.arn('dynamodb', ['table', stage.output('data', output), ...rest].join('/'));
  }
  return stage.arn('sqs', stage.output('pipeline', output).split('/').at(-1) ?? '');
}

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
