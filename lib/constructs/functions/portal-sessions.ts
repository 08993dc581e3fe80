import { MAKER_ATTRIBUTES } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { apiTokensTable, PORTAL_PREFIX } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { Data } from '../../parts/data.ts';
import { itemsBeginningWith, onlyAttributes } from '../data/table-conditions.ts';
import { indexesOf, type ServiceFunction } from './service-function.ts';

/**
 * Lets a function make, exchange and revoke portal sessions. Of the tokens in the same table it sees by hash
 * whether one has ended, and can make or change none.
 */
export function allowPortalSessions(user: ServiceFunction, { apiTokens }: Pick<Data, 'apiTokens'>): void {
  const sessionsOnly = itemsBeginningWith(PORTAL_PREFIX);
  user.allowTableIf(sessionsOnly, apiTokens, 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem');
  user.allowIf(sessionsOnly, ['dynamodb:Query'], ...indexesOf(apiTokens, apiTokensTable.byService));
  user.allowTableIf(onlyAttributes(MAKER_ATTRIBUTES), apiTokens, 'GetItem');
}
