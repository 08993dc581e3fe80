import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
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
import type { Settings } from '../settings.ts';

/** DynamoDB projects at most twenty attributes. Whoever queries by subscription knows its service. */
const INDEXED_OF_SUBSCRIPTION = [
  ...INDEXED_ATTRIBUTES.filter((name) => name !== 'service_id'),
  'payment_id',
  'body_erased_at',
];

/** Everything that has to survive a redeployment. All else can be rebuilt. */
export class Data extends Construct {
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
  /** Encrypts the rules' dead letters. Undefined where AWS's key does. */
  readonly spareKey: DataKey | undefined;
  /** Encrypts logs. Undefined where CloudWatch's key does. */
  readonly logsKey: IKey | undefined;
  readonly #secretsKey: DataKey;

  constructor(scope: Construct, id: string, { settings }: { readonly settings: Settings }) {
    super(scope, id);

    this.dataKey =
      settings.customerManagedKey || settings.encryptionKey !== undefined
        ? new DataKey(this, 'DataKey', {
            settings,
            encrypts: 'the history, subscriptions, and the queues with bodies',
            existing: settings.encryptionKey,
          })
        : undefined;
    this.dataKey?.allowRules();
    this.spareKey = this.#ownKeysEverywhere(settings);
    this.logsKey = settings.logsEncryptionKey ?? this.spareKey?.key;
    const personalData = this.dataKey === undefined ? {} : { encryptionKey: this.dataKey.key };

    this.subscriptions = table(this, 'Subscriptions', {
      settings,
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
      settings,
      encrypts: 'the signing secrets of subscriptions',
      seals: true,
      existing: settings.secretsEncryptionKey,
    });
    this.signingSecrets = table(this, 'SigningSecrets', {
      settings,
      ...signingSecretsTable,
      encryptionKey: this.#secretsKey.key,
    });

    this.apiTokens = table(this, 'ApiTokens', {
      settings,
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
      settings,
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
    this.statistics = table(this, 'Statistics', { settings, ...statisticsTable });

    this.orderingKeys = table(this, 'OrderingKeys', {
      settings,
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
      settings,
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
    this.idempotency = table(this, 'Idempotency', { settings, ...idempotencyTable, ...personalData });
    this.audit = table(this, 'Audit', { settings, ...auditTable, ...personalData });
  }

  /** @throws when no key of its own encrypts the rest */
  #ownKeysEverywhere(settings: Settings): DataKey | undefined {
    if (settings.ownKeysEverywhere !== true) {
      return undefined;
    }
    if (this.dataKey === undefined) {
      throw new Error(`${settings.name}: ownKeysEverywhere needs customerManagedKey, or an encryptionKey`);
    }
    this.dataKey.allowBus();
    const spare = new DataKey(this, 'SpareKey', {
      settings,
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
