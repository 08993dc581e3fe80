import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import {
  apiTokensTable,
  historyTable,
  keysTable,
  signingSecretsTable,
  subscriptionsTable,
} from '../../functions/adapters/table-keys.ts';
import { INDEXED_ATTRIBUTES } from '../../functions/core/history.ts';
import { table } from '../constructs/table.ts';
import type { Stage } from '../stages.ts';

/** What DynamoDB needs of its caller. Source: "DynamoDB encryption at rest: usage notes", Amazon DynamoDB Developer Guide. */
const KEY_ACTIONS = {
  reading: ['kms:Decrypt'],
  writing: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
} as const;

/** What has to survive a redeployment: everything else can be built again. */
export class DataStack extends Stack {
  readonly subscriptions: Table;
  readonly signingSecrets: Table;
  readonly apiTokens: Table;
  readonly history: Table;
  readonly keys: Table;
  readonly #secretsKey: Key;

  constructor(scope: Construct, id: string, props: StackProps & { readonly stage: Stage }) {
    super(scope, id, props);
    const { stage } = props;

    this.subscriptions = table(this, 'Subscriptions', {
      stage,
      ...subscriptionsTable,
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
    this.#secretsKey = new Key(this, 'SigningSecretsKey', {
      description: `Payhooks (${stage.name}): encrypts the signing secrets of subscriptions`,
      enableKeyRotation: true,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.signingSecrets = table(this, 'SigningSecrets', {
      stage,
      ...signingSecretsTable,
      encryptionKey: this.#secretsKey,
    });

    this.apiTokens = table(this, 'ApiTokens', { stage, ...apiTokensTable });

    this.history = table(this, 'History', {
      stage,
      ...historyTable,
      // No bodies: these indexes are what analysts may read.
      indexes: [
        {
          name: historyTable.bySubscription,
          partitionKey: 'subscription_id',
          sortKey: 'admitted_at',
          attributes: [...INDEXED_ATTRIBUTES, 'payment_id'],
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

    this.keys = table(this, 'Keys', {
      stage,
      ...keysTable,
      indexes: [
        { name: keysTable.line, partitionKey: 'line', sortKey: 'parked_at', attributes: 'all' },
        { name: keysTable.due, partitionKey: 'due_shard', sortKey: 'check_at', attributes: 'all' },
        // One partition: what comes here is counted by people.
        { name: keysTable.faulted, partitionKey: 'faulted', sortKey: 'since', attributes: 'all' },
      ],
    });

    new CfnOutput(this, 'SubscriptionsTableName', { value: this.subscriptions.tableName });
    new CfnOutput(this, 'SigningSecretsTableName', { value: this.signingSecrets.tableName });
    new CfnOutput(this, 'ApiTokensTableName', { value: this.apiTokens.tableName });
    new CfnOutput(this, 'HistoryTableName', { value: this.history.tableName });
    new CfnOutput(this, 'KeysTableName', { value: this.keys.tableName });
  }

  /** Lets a function have DynamoDB use the key of the signing secrets; what it may do with the items, its grants on the table say. */
  allowSecretsKey(user: IGrantable, purpose: keyof typeof KEY_ACTIONS): void {
    Grant.addToPrincipal({
      grantee: user,
      actions: [...KEY_ACTIONS[purpose]],
      resourceArns: [this.#secretsKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${this.region}.amazonaws.com` } },
    });
  }
}
