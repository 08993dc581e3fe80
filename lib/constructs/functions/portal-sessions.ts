import { MAKER_ATTRIBUTES } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { apiTokensTable, PORTAL_PREFIX } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { DataStack } from '../../stacks/data-stack.ts';
import { onlyAttributes } from '../data/only-attributes.ts';
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
  user.allowIf(
    sessionsOnly,
    ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    tableArn,
  );
  user.allowIf(sessionsOnly, ['dynamodb:Query'], `${tableArn}/index/${apiTokensTable.byService}`);
  user.allowIf(onlyAttributes(MAKER_ATTRIBUTES), ['dynamodb:GetItem'], tableArn);
}
