import {
  apiTokensTable,
  auditTable,
  historyTable,
  idempotencyTable,
  orderingKeysTable,
  sequencesTable,
  signingSecretsTable,
  statisticsTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { DeployedStack } from '../deployed/deployed-stack.ts';

type TableName = Exclude<keyof DeployedStack['outputs']['tables'], 'receiver'>;

export interface StoredTable {
  readonly partitionKey: string;
  readonly sortKey?: string;
}

/** The keys of each table of a stage, by its name in the outputs; without the demonstration's. */
export const STORED_TABLES = {
  subscriptions: subscriptionsTable,
  signingSecrets: signingSecretsTable,
  apiTokens: apiTokensTable,
  history: historyTable,
  statistics: statisticsTable,
  keys: orderingKeysTable,
  sequences: sequencesTable,
  idempotency: idempotencyTable,
  audit: auditTable,
} as const satisfies Record<TableName, StoredTable>;
