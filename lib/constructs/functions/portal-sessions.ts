import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { MAKER_ATTRIBUTES } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { apiTokensTable, PORTAL_PREFIX } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { DataStack } from '../../stacks/data-stack.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * Lets a function make, exchange and revoke portal sessions. Of the tokens in the same table it sees by hash
 * whether one has ended, and can make or change none.
 */
export function allowPortalSessions(
  user: ServiceFunction,
  { apiTokens }: Pick<DataStack, 'apiTokens'>,
): void {
  const { tableArn } = apiTokens;
  const sessionsOnly = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': `${PORTAL_PREFIX}*` } };
  user.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [tableArn],
      conditions: sessionsOnly,
    }),
  );
  user.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${tableArn}/index/${apiTokensTable.byService}`],
      conditions: sessionsOnly,
    }),
  );
  user.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:GetItem'],
      resources: [tableArn],
      conditions: {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': MAKER_ATTRIBUTES },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    }),
  );
}
