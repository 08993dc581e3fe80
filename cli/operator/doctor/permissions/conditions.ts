import { portalSessionKey } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { tokenHash } from '../../../../functions/core/api/api-token.ts';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';
import { allowedOf, type Context } from './permissions.ts';

interface Case {
  readonly what: string;
  readonly part: 'pipeline' | 'api';
  /** The id of its construct. */
  readonly role: string;
  readonly action: string;
  readonly context: Context;
  readonly isAllowed: boolean;
}

async function faultsOf(stage: ExaminedStage, resource: string, cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { what, part, role, action, context, isAllowed } of cases) {
    const allowed = await allowedOf(stage, { part, id: role }, [action], resource, context);
    if (allowed.length > 0 !== isAllowed) {
      faults.push(`${what} is ${isAllowed ? 'refused' : 'allowed'}`);
    }
  }
  return faults;
}

const NO_CONTEXT = 'it does not look at what a simulated call would bring along';

/** Whether only makers of secrets can seal them, and only deliver can open them. */
export const secretsKey: Check = {
  name: 'secrets-key',
  partOf: [26],
  notEmulated: NO_CONTEXT,
  async run(stage) {
    const via = { 'kms:ViaService': `dynamodb.${stage.region}.amazonaws.com` };
    const decrypt = (what: string, part: Case['part'], role: string, isAllowed: boolean): Case => ({
      ...{ what, part, role, isAllowed },
      action: 'kms:Decrypt',
      context: via,
    });
    const cases = [
      { ...decrypt('deliver by itself', 'pipeline', 'Deliver', true), context: {} },
      { ...decrypt('the api by itself', 'api', 'Api', false), context: {} },
      {
        ...decrypt('sealing by the api', 'api', 'Api', true),
        ...{ action: 'kms:GenerateDataKey', context: {} },
      },
      decrypt('deliver through DynamoDB', 'pipeline', 'Deliver', true),
      decrypt('the api through DynamoDB', 'api', 'Api', true),
      decrypt('match', 'pipeline', 'Match', false),
      decrypt('the authorizer', 'api', 'Authorize', false),
    ];
    return judged(
      await faultsOf(stage, stage.output('data', 'SigningSecretsKeyArn'), cases),
      'the api seals, deliver alone opens, and neither match nor the authorizer can use it',
      `Put the policies back: ${revertDrift(stage, 'data', 'pipeline', 'api')}`,
    );
  },
};

/** Whether functions that tell of operational events can make no payment event. */
export const busSources: Check = {
  name: 'bus-sources',
  partOf: [24],
  notEmulated: NO_CONTEXT,
  async run(stage) {
    const bus = stage.arn('events', `event-bus/${stage.output('pipeline', 'BusName')}`);
    const put = (part: Case['part'], role: string, source: string, isAllowed: boolean): Case => ({
      what: `an event of ${source} by ${role}`,
      part,
      role,
      action: 'events:PutEvents',
      context: { 'events:source': [source] },
      isAllowed,
    });
    const cases = (['Deliver', 'Wake', 'Api'] as const).flatMap((role) => {
      const part = role === 'Api' ? 'api' : 'pipeline';
      return [put(part, role, 'payhooks', true), put(part, role, 'payments', false)];
    });
    return judged(
      await faultsOf(stage, bus, cases),
      'deliver, wake and the api can put operational events alone',
      `Put the policies back: ${revertDrift(stage, 'pipeline', 'api')}`,
    );
  },
};

/**
 * Whether the authorizer counts requests and the api makes portal sessions, and neither can change anything
 * else of a token.
 */
export const tokenAttributes: Check = {
  name: 'token-attributes',
  partOf: [29],
  notEmulated: NO_CONTEXT,
  async run(stage) {
    const table = stage.arn('dynamodb', `table/${stage.output('data', 'ApiTokensTableName')}`);
    const update = (attribute: string, isAllowed: boolean): Case => ({
      what: `changing ${attribute}`,
      part: 'api',
      role: 'Authorize',
      action: 'dynamodb:UpdateItem',
      context: { 'dynamodb:Attributes': [attribute] },
      isAllowed,
    });
    const put = (what: string, key: string, isAllowed: boolean): Case => ({
      what,
      part: 'api',
      role: 'Api',
      action: 'dynamodb:PutItem',
      context: { 'dynamodb:LeadingKeys': [key] },
      isAllowed,
    });
    return judged(
      await faultsOf(stage, table, [
        update('window_requests', true),
        update('scopes', false),
        put('making a portal session', portalSessionKey('ses_doctor'), true),
        put('making a token', tokenHash('doctor'), false),
      ]),
      'the authorizer may count requests, the api make portal sessions, and neither change anything else of a token',
      `Put the policies back: ${revertDrift(stage, 'api')}`,
    );
  },
};
