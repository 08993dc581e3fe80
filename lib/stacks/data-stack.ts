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
  sequencesTable,
  signingSecretsTable,
  statisticsTable,
  subscriptionsTable,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import { INDEXED_ATTRIBUTES } from '../../functions/core/message/history.ts';
import { DataKey, type QueueUse, type SecretsUse, type TableUse } from '../constructs/data/data-key.ts';
import { table } from '../constructs/data/table.ts';
import type { Stage } from '../stage.ts';

/** DynamoDB projects at most twenty attributes. Whoever queries by subscription knows its service. */
const INDEXED_OF_SUBSCRIPTION = [
  ...INDEXED_ATTRIBUTES.filter((name) => name !== 'service_id'),
  'payment_id',
  'body_erased_at',
];

/** Everything that has to survive a redeployment. All else can be rebuilt. */
export class DataStack extends Stack {
  readonly subscriptions: Table;
  readonly signingSecrets: Table;
  readonly apiTokens: Table;
  readonly history: Table;
  readonly statistics: Table;
  readonly orderingKeys: Table;
  readonly sequences: Table;
  readonly idempotency: Table;
  readonly audit: Table;
  /** Encrypts what holds bodies or names people. Undefined where the stage uses keys that AWS owns. */
  readonly dataKey: DataKey | undefined;
  /** Encrypts logs and the rules' dead letters. Undefined where AWS's keys do. */
  readonly spareKey: DataKey | undefined;
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
    this.spareKey = this.#ownKeysEverywhere(stage);
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
          attributes: ['timer', 'subscription_id', 'circuit'],
        },
      ],
    });

    // A separate key: reading the tables must not imply reading the signing secrets.
    this.#secretsKey = new DataKey(this, 'SigningSecretsKey', {
      stage,
      encrypts: 'the signing secrets of subscriptions',
      seals: true,
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
        // Keys only: counting requests never writes this index.
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
      isBusy: true,
      ...personalData,
      hasStream: true,
      // No bodies: analysts may read these indexes.
      indexes: [
        {
          name: historyTable.bySubscription,
          partitionKey: 'subscription_id',
          sortKey: 'admitted_at',
          attributes: INDEXED_OF_SUBSCRIPTION,
        },
        {
          name: historyTable.undelivered,
          partitionKey: 'undelivered',
          sortKey: 'admitted_at',
          // Its key says the state.
          attributes: [...INDEXED_OF_SUBSCRIPTION.filter((name) => name !== 'state'), 'subscription_id'],
        },
      ],
    });

    // Numbers only: nothing in it identifies a payment or a person.
    this.statistics = table(this, 'Statistics', { stage, ...statisticsTable });

    this.orderingKeys = table(this, 'OrderingKeys', {
      stage,
      ...orderingKeysTable,
      isBusy: true,
      indexes: [
        {
          name: orderingKeysTable.backlog,
          partitionKey: 'backlog_of',
          sortKey: 'backlogged_at',
          attributes: 'all',
        },
        { name: orderingKeysTable.due, partitionKey: 'due_shard', sortKey: 'check_at', attributes: 'all' },
        // Few attributes: signals, retries and commits that leave the first message in place do not write
        // this index.
        {
          name: orderingKeysTable.aging,
          partitionKey: 'aging_shard',
          sortKey: 'age_check_at',
          attributes: ['timer'],
        },
        // One partition: stuck payments are few.
        {
          name: orderingKeysTable.stuck,
          partitionKey: 'stuck',
          sortKey: 'since',
          attributes: 'all',
          isRare: true,
        },
      ],
    });

    // An event that waits for its turn is kept whole.
    this.sequences = table(this, 'Sequences', {
      stage,
      ...sequencesTable,
      isBusy: true,
      ...personalData,
      indexes: [
        {
          name: sequencesTable.due,
          partitionKey: 'due_shard',
          sortKey: 'check_at',
          attributes: ['timer', 'due_at'],
        },
        {
          name: sequencesTable.stuck,
          partitionKey: 'stuck',
          sortKey: 'since',
          attributes: ['service_id', 'payment_id', 'group', 'explanation'],
          isRare: true,
        },
      ],
    });

    // Both contain what partners wrote about their subscriptions.
    this.idempotency = table(this, 'Idempotency', { stage, ...idempotencyTable, ...personalData });
    this.audit = table(this, 'Audit', { stage, ...auditTable, ...personalData });

    new CfnOutput(this, 'SubscriptionsTableName', { value: this.subscriptions.tableName });
    new CfnOutput(this, 'SigningSecretsTableName', { value: this.signingSecrets.tableName });
    new CfnOutput(this, 'SigningSecretsKeyArn', { value: this.secretsKeyArn });
    new CfnOutput(this, 'ApiTokensTableName', { value: this.apiTokens.tableName });
    new CfnOutput(this, 'HistoryTableName', { value: this.history.tableName });
    new CfnOutput(this, 'StatisticsTableName', { value: this.statistics.tableName });
    new CfnOutput(this, 'OrderingKeysTableName', { value: this.orderingKeys.tableName });
    new CfnOutput(this, 'SequencesTableName', { value: this.sequences.tableName });
    new CfnOutput(this, 'IdempotencyTableName', { value: this.idempotency.tableName });
    new CfnOutput(this, 'AuditTableName', { value: this.audit.tableName });
  }

  /** @throws when the stage has no key of its own */
  #ownKeysEverywhere(stage: Stage): DataKey | undefined {
    if (stage.ownKeysEverywhere !== true) {
      return undefined;
    }
    if (this.dataKey === undefined) {
      throw new Error(`${stage.name}: ownKeysEverywhere needs customerManagedKey (lib/stages.ts)`);
    }
    this.dataKey.allowBus();
    const spare = new DataKey(this, 'SpareKey', {
      stage,
      encrypts: "logs, and the rules' dead letters, which must outlast the other key",
    });
    spare.allowRules();
    spare.allowLogs();
    return spare;
  }

  /**
   * Lets a function use the signing secrets' key through DynamoDB. Its grants on the table limit which items
   * it reaches.
   */
  allowSecretsKey(user: IGrantable, use: TableUse): void {
    this.#secretsKey.allowTables(user, use);
  }

  /** Lets a function seal secrets, or open them, by calls of its own. */
  allowSecrets(user: IGrantable, use: SecretsUse): void {
    this.#secretsKey.allowSecrets(user, use);
  }

  get secretsKeyArn(): string {
    return this.#secretsKey.keyArn;
  }

  /** Lets a function use the stage's key through DynamoDB and SQS, if there is one. */
  allowDataKey(user: IGrantable, use: { readonly tables?: TableUse; readonly queues?: QueueUse }): void {
    if (use.tables !== undefined) {
      this.dataKey?.allowTables(user, use.tables);
    }
    if (use.queues !== undefined) {
      this.dataKey?.allowQueues(user, use.queues);
    }
  }
}

/** The bus's name, known before the bus exists: other stacks and alarms refer to it. */
export function busNameOf({ name }: Pick<Stage, 'name'>): string {
  return `payhooks-${name}`;
}
