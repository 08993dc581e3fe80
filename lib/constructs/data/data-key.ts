import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../../stage.ts';

/**
 * What DynamoDB needs from its caller. Source: "DynamoDB encryption at rest: usage notes", Amazon DynamoDB
 * Developer Guide.
 */
const TABLE_ACTIONS = {
  reading: ['kms:Decrypt'],
  writing: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
} as const;

/** What SQS needs from its caller. Source: "Key management", Amazon SQS Developer Guide. */
const QUEUE_ACTIONS = {
  receiving: ['kms:Decrypt'],
  sending: ['kms:Decrypt', 'kms:GenerateDataKey'],
} as const;

/**
 * What S3 needs from its caller. Source: "Using server-side encryption with AWS KMS keys (SSE-KMS)", Amazon
 * S3 User Guide.
 */
const BUCKET_ACTIONS = {
  writing: ['kms:GenerateDataKey'],
  querying: ['kms:Decrypt', 'kms:GenerateDataKey'],
} as const;

/**
 * What an encrypted Custom Event Bus needs: EventBridge for the bus's own key, which encrypts the events, and
 * the caller who publishes, so that nobody writes what they could not read. Source: "Encryption at Rest for
 * Amazon EventBridge Custom Event Bus", Amazon EventBridge User Guide.
 */
const BUS_ACTIONS = {
  bus: [
    'kms:Decrypt',
    'kms:Encrypt',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ],
  publishing: ['kms:Decrypt'],
} as const;

/** Of the texts that functions/adapters/kms seals: who writes secrets does not read them. */
const SECRETS_ACTIONS = { sealing: ['kms:GenerateDataKey'], opening: ['kms:Decrypt'] } as const;

export type SecretsUse = keyof typeof SECRETS_ACTIONS;
export type TableUse = keyof typeof TABLE_ACTIONS;
export type QueueUse = keyof typeof QUEUE_ACTIONS;
export type BucketUse = keyof typeof BUCKET_ACTIONS;

interface DataKeyProps {
  readonly stage: Stage;
  /** What it encrypts; completes "Payhooks (prod): encrypts …". */
  readonly encrypts: string;
}

/**
 * A customer managed key of the stage. Our grants let functions and people use it only through DynamoDB, SQS,
 * S3 and EventBridge, and never pass KMS a ciphertext. That does not bind others: the key's policy leaves the
 * decision to IAM, so a policy of the account that allows `kms:Decrypt` on every key allows it here.
 * Source: "Default key policy", AWS KMS Developer Guide.
 */
export class DataKey extends Key {
  constructor(scope: Construct, id: string, { stage, encrypts }: DataKeyProps) {
    super(scope, id, {
      description: `Payhooks (${stage.name}): encrypts ${encrypts}`,
      enableKeyRotation: true,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** Lets a function use the key through DynamoDB. Its grants on the tables limit which items it reaches. */
  allowTables(user: IGrantable, use: TableUse): void {
    this.#allowThrough('dynamodb', user, TABLE_ACTIONS[use]);
  }

  /** Lets a function use the key through SQS. `sending` includes receiving. */
  allowQueues(user: IGrantable, use: QueueUse): void {
    this.#allowThrough('sqs', user, QUEUE_ACTIONS[use]);
  }

  /**
   * Lets a principal use the key through S3. `querying` reads objects and writes results, as Athena does for
   * its caller.
   */
  allowBuckets(user: IGrantable, use: BucketUse): void {
    this.#allowThrough('s3', user, BUCKET_ACTIONS[use]);
  }

  /**
   * Lets EventBridge send to a queue encrypted with this key, for rules of this account. AWS documents the
   * statement without conditions; we add the account, as CDK does. Whether KMS also receives the rule's ARN
   * (`aws:SourceArn`) is undocumented, and a condition that never holds would lose every event. The queue
   * policy names the rules.
   * Source: "My events are not delivered to the target Amazon SQS queue", Amazon EventBridge User Guide.
   */
  allowRules(): void {
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RulesOfThisAccount',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: [...QUEUE_ACTIONS.sending],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
  }

  /**
   * Lets EventBridge encrypt a Custom Event Bus of this account with the key. The bus's ARN ends in an id of
   * its own.
   */
  allowOrderedBus(busName: string): void {
    const bus = Stack.of(this).formatArn({
      service: 'events',
      resource: 'event-busv2',
      resourceName: `${busName}/*`,
    });
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OrderedBus',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: [...BUS_ACTIONS.bus],
        resources: ['*'],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
          StringLike: { 'kms:EncryptionContext:aws:events:event-busv2:arn': bus },
        },
      }),
    );
  }

  /** Lets a publisher use the key through EventBridge. */
  allowPublishing(publisher: IGrantable): void {
    this.#allowThrough('events', publisher, BUS_ACTIONS.publishing);
  }

  /** Lets a function seal or open texts by calling KMS itself. */
  allowSecrets(user: IGrantable, use: SecretsUse): void {
    Grant.addToPrincipal({
      grantee: user,
      actions: [...SECRETS_ACTIONS[use]],
      resourceArns: [this.keyArn],
    });
  }

  /** Grants that CDK makes itself, such as for readers of a table's stream, also go through DynamoDB only. */
  override grant(grantee: IGrantable, ...actions: string[]): Grant {
    return this.#allowThrough('dynamodb', grantee, actions);
  }

  #allowThrough(
    service: 'dynamodb' | 'sqs' | 's3' | 'events',
    grantee: IGrantable,
    actions: readonly string[],
  ): Grant {
    return Grant.addToPrincipal({
      grantee,
      actions: [...actions],
      resourceArns: [this.keyArn],
      conditions: {
        StringEquals: { 'kms:ViaService': `${service}.${Stack.of(this).region}.amazonaws.com` },
      },
    });
  }
}
