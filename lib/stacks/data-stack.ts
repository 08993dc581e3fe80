import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import {
  apiTokensTable,
  auditTable,
  historyTable,
  idempotencyTable,
  orderingKeysTable,
  signingSecretsTable,
  statisticsTable,
  subscriptionsTable,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import { INDEXED_ATTRIBUTES } from '../../functions/core/message/history.ts';
import { DataKey, type QueueUse, type TableUse } from '../constructs/data/data-key.ts';
import { table } from '../constructs/data/table.ts';
import type { Stage } from '../stages.ts';

/** What has to survive a redeployment: everything else can be built again. */
export class DataStack extends Stack {
  readonly subscriptions: Table;
  readonly signingSecrets: Table;
  readonly apiTokens: Table;
  readonly history: Table;
  readonly statistics: Table;
  readonly keys: Table;
  readonly idempotency: Table;
  readonly audit: Table;
  /** Of what holds bodies or names people; undefined where the stage leaves it to a key that AWS owns. */
  readonly dataKey: DataKey | undefined;
  readonly #secretsKey: DataKey;

  constructor(scope: Construct, id: string, props: StackProps & { readonly stage: Stage }) {
    super(scope, id, props);
    const { stage } = props;

    this.dataKey = stage.customerManagedKey
      ? new DataKey(this, 'DataKey', {
          stage,
          encrypts: 'the history, subscriptions, and the queues with bodies',
        })
      : undefined;
    this.dataKey?.allowRules();
    const personalData = this.dataKey === undefined ? {} : { encryptionKey: this.dataKey };

    this.subscriptions = table(this, 'Subscriptions', {
      stage,
      ...subscriptionsTable,
      ...personalData,
      indexes: [
        {
          name: subscriptionsTable.due,
          partitionKey: 'due_shard',
          sortKey: 'check_at',
          attributes: ['subscription_id', 'circuit', 'recovery_id', 'step'],
        },
      ],
    });

    // A key of their own: who may read the tables may not thereby read what signs.
    this.#secretsKey = new DataKey(this, 'SigningSecretsKey', {
      stage,
      encrypts: 'the signing secrets of subscriptions',
    });
    this.signingSecrets = table(this, 'SigningSecrets', {
      stage,
      ...signingSecretsTable,
      encryptionKey: this.#secretsKey,
    });

    this.apiTokens = table(this, 'ApiTokens', {
      stage,
      ...apiTokensTable,
      indexes: [
        // Keys only: counting requests never touches it.
        {
          name: apiTokensTable.byService,
          partitionKey: 'service_id',
          sortKey: 'created_at',
          attributes: 'none',
        },
      ],
    });

    this.history = table(this, 'History', {
      stage,
      ...historyTable,
      ...personalData,
      hasStream: true,
      // No bodies: these indexes are what analysts may read.
      indexes: [
        {
          name: historyTable.bySubscription,
          partitionKey: 'subscription_id',
          sortKey: 'admitted_at',
          // DynamoDB carries twenty at most: whose subscription it is, whoever asks by it knows.
          attributes: [
            ...INDEXED_ATTRIBUTES.filter((name) => name !== 'service_id'),
            'payment_id',
            'body_erased_at',
          ],
        },
        {
          name: historyTable.byPayment,
          partitionKey: 'payment_id',
          sortKey: 'admitted_at',
          attributes: [...INDEXED_ATTRIBUTES, 'subscription_id'],
        },
        {
          name: historyTable.unsuccessful,
          partitionKey: 'unsuccessful_on',
          sortKey: 'ended_at',
          attributes: [
            ...INDEXED_ATTRIBUTES.filter((name) => name !== 'ended_at'),
            'subscription_id',
            'payment_id',
          ],
        },
        // Only ever counted.
        {
          name: historyTable.waiting,
          partitionKey: 'waiting_for',
          sortKey: 'admitted_at',
          attributes: 'none',
        },
      ],
    });

    // Numbers only: nothing in it is about a payment or a person.
    this.statistics = table(this, 'Statistics', { stage, ...statisticsTable });

    this.keys = table(this, 'Keys', {
      stage,
      ...orderingKeysTable,
      indexes: [
        { name: orderingKeysTable.line, partitionKey: 'line', sortKey: 'parked_at', attributes: 'all' },
        { name: orderingKeysTable.due, partitionKey: 'due_shard', sortKey: 'check_at', attributes: 'all' },
        // Keys and a name: hints, retries and commits that leave the head as it is do not write it.
        {
          name: orderingKeysTable.aging,
          partitionKey: 'aging_shard',
          sortKey: 'age_check_at',
          attributes: ['service_id', 'subscription_id', 'payment_id'],
        },
        // One partition: what comes here is counted by people.
        { name: orderingKeysTable.faulted, partitionKey: 'faulted', sortKey: 'since', attributes: 'all' },
      ],
    });

    // Both hold what a subscription says of its owner.
    this.idempotency = table(this, 'Idempotency', { stage, ...idempotencyTable, ...personalData });
    this.audit = table(this, 'Audit', { stage, ...auditTable, ...personalData });

    new CfnOutput(this, 'SubscriptionsTableName', { value: this.subscriptions.tableName });
    new CfnOutput(this, 'SigningSecretsTableName', { value: this.signingSecrets.tableName });
    new CfnOutput(this, 'ApiTokensTableName', { value: this.apiTokens.tableName });
    new CfnOutput(this, 'HistoryTableName', { value: this.history.tableName });
    new CfnOutput(this, 'StatisticsTableName', { value: this.statistics.tableName });
    new CfnOutput(this, 'KeysTableName', { value: this.keys.tableName });
    new CfnOutput(this, 'IdempotencyTableName', { value: this.idempotency.tableName });
    new CfnOutput(this, 'AuditTableName', { value: this.audit.tableName });
  }

  /** Lets a function have DynamoDB use the key of the signing secrets; what it may do with the items, its grants on the table say. */
  allowSecretsKey(user: IGrantable, use: TableUse): void {
    this.#secretsKey.allowTables(user, use);
  }

  /** Lets a function have DynamoDB and SQS use the key of the stage, where it has one. */
  allowDataKey(user: IGrantable, use: { readonly tables?: TableUse; readonly queues?: QueueUse }): void {
    if (use.tables !== undefined) {
      this.dataKey?.allowTables(user, use.tables);
    }
    if (use.queues !== undefined) {
      this.dataKey?.allowQueues(user, use.queues);
    }
  }
}

/** Known before the bus is there: other stacks and alarms name it. */
export function busNameOf({ name }: Pick<Stage, 'name'>): string {
  return `payhooks-${name}`;
}
