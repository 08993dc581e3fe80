import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../../stage.ts';
import { keyPolicy } from './key-policy.ts';

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
  /** Whether functions seal and open secrets with it. @default false */
  readonly seals?: boolean;
}

/**
 * A customer managed key of the stage, usable only through DynamoDB, SQS, S3 and EventBridge, or to seal and
 * open secrets: its policy gives nobody more, and whoever administers it may not use it.
 */
export class DataKey extends Key {
  constructor(scope: Construct, id: string, { stage, encrypts, seals = false }: DataKeyProps) {
    super(scope, id, {
      description: `Payhooks (${stage.name}): encrypts ${encrypts}`,
      enableKeyRotation: true,
      // The emulator knows no `kms:ViaService`.
      ...(stage.emulated ? {} : { policy: keyPolicy(Stack.of(scope), stage, { seals }) }),
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
   * Lets EventBridge encrypt a bus of this account with the key. Without the bus's ARN, as `allowRules`:
   * `kms:DescribeKey` has no encryption context.
   * Source: "Authorizing EventBridge to use a customer managed key", Amazon EventBridge User Guide.
   */
  allowBus(): void {
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'BusesOfThisAccount',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['kms:DescribeKey', 'kms:GenerateDataKey', 'kms:Decrypt'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
  }

  /**
   * Lets CloudWatch Logs encrypt log groups of this account with the key. Source: "Encrypt log data in
   * CloudWatch Logs using AWS KMS", Amazon CloudWatch Logs User Guide.
   */
  allowLogs(): void {
    const stack = Stack.of(this);
    const groups = stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'LogsOfThisAccount',
        principals: [new ServicePrincipal(`logs.${stack.region}.amazonaws.com`)],
        actions: [
          'kms:Encrypt',
          'kms:Decrypt',
          'kms:ReEncryptFrom',
          'kms:ReEncryptTo',
          'kms:GenerateDataKey',
          'kms:DescribeKey',
        ],
        resources: ['*'],
        conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': groups } },
      }),
    );
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

  #allowThrough(service: 'dynamodb' | 'sqs' | 's3', grantee: IGrantable, actions: readonly string[]): Grant {
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
