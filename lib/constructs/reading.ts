import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, Grant, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { COURSE_ATTRIBUTES } from '../../functions/adapters/dynamodb/history/payment-reader.ts';
import { WANTED_ATTRIBUTES } from '../../functions/adapters/dynamodb/subscriptions/wanted-types.ts';
import {
  historyTable,
  orderingKeysTable,
  sequencesTable,
  subscriptionsTable,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import { ENDPOINT_HEALTH_ATTRIBUTES } from '../endpoint-health-attributes.ts';
import type { Data } from '../parts/data.ts';
import { onlyAttributes } from './data/table-conditions.ts';
import { indexesOf } from './functions/service-function.ts';

/** What analysts read: messages, attempts, endpoints and statistics; neither bodies, answers, secrets nor tokens. */
export function grantReading(grantee: IGrantable, data: Data): Grant {
  const { backlog, due, stuck } = orderingKeysTable;
  const grants = [
    readIndexes(grantee, data.history, historyTable.bySubscription),
    readSparseIndex(grantee, data.history, historyTable.undelivered),
    // What happened to a payment: neither bodies nor answers.
    readAttributes(grantee, data.history, ...COURSE_ATTRIBUTES),
    readTable(grantee, data.statistics),
    readIndexes(grantee, data.orderingKeys, backlog, due, stuck),
    readIndexes(grantee, data.subscriptions, subscriptionsTable.due),
    readAttributes(grantee, data.subscriptions, ...ENDPOINT_HEALTH_ATTRIBUTES),
    readIndexes(grantee, data.sequences, sequencesTable.due, sequencesTable.stuck),
  ];
  data.allowDataKey(grantee, { tables: 'reading' });
  return grants.reduce((all, grant) => all.combine(grant));
}

/** By key, in the console, the CLI or PartiQL. Full table scans are denied. */
export function readTable(grantee: IGrantable, table: Table): Grant {
  return read(grantee, table, ['dynamodb:GetItem', 'dynamodb:Query'], table.tableArn);
}

/** By the keys of these indexes. They expose only projected attributes; the table itself stays closed. */
export function readIndexes(grantee: IGrantable, table: Table, ...indexes: readonly string[]): Grant {
  return read(grantee, table, ['dynamodb:Query'], ...indexesOf(table, ...indexes));
}

/** A sparse index, which holds what is few: by its key, or all of it. */
function readSparseIndex(grantee: IGrantable, table: Table, index: string): Grant {
  return allow(grantee, ['dynamodb:Query', 'dynamodb:Scan'], indexesOf(table, index));
}

/** These attributes only, of items found by key. A request that does not name its attributes is refused. */
export function readAttributes(grantee: IGrantable, table: Table, ...attributes: readonly string[]): Grant {
  allow(grantee, ['dynamodb:DescribeTable'], [table.tableArn]);
  const conditions = onlyAttributes(attributes);
  return allow(grantee, ['dynamodb:GetItem', 'dynamodb:Query'], [table.tableArn], conditions);
}

/** Which event types all subscriptions want, and nothing else of them: DynamoDB refuses a scan for more. */
export function readWantedTypes(grantee: IGrantable, { subscriptions }: Data): Grant {
  const conditions = onlyAttributes(WANTED_ATTRIBUTES);
  return allow(grantee, ['dynamodb:Scan'], [subscriptions.tableArn], conditions);
}

function read(grantee: IGrantable, table: Table, actions: string[], ...resources: string[]): Grant {
  allow(grantee, ['dynamodb:DescribeTable'], [table.tableArn]);
  // A PartiQL statement without the partition key scans everything, and is billed for it.
  const granted = allow(grantee, [...actions, 'dynamodb:PartiQLSelect'], resources);
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ['dynamodb:PartiQLSelect'],
      resources,
      conditions: { Bool: { 'dynamodb:FullTableScan': 'true' } },
    }),
  );
  return granted;
}

function allow(
  grantee: IGrantable,
  actions: string[],
  resourceArns: string[],
  conditions: ReturnType<typeof onlyAttributes> | Record<string, never> = {},
): Grant {
  return Grant.addToPrincipal({ grantee, actions, resourceArns, conditions });
}
