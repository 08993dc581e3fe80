import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';

/** What DynamoDB needs of its caller. Source: "DynamoDB encryption at rest: usage notes", Amazon DynamoDB Developer Guide. */
const TABLE_ACTIONS = {
  reading: ['kms:Decrypt'],
  writing: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
} as const;

/** What SQS needs of its caller. Source: "Key management", Amazon SQS Developer Guide. */
const QUEUE_ACTIONS = {
  receiving: ['kms:Decrypt'],
  sending: ['kms:Decrypt', 'kms:GenerateDataKey'],
} as const;

/** What S3 needs of its caller. Source: "Using server-side encryption with AWS KMS keys (SSE-KMS)", Amazon S3 User Guide. */
const BUCKET_ACTIONS = {
  writing: ['kms:GenerateDataKey'],
  asking: ['kms:Decrypt', 'kms:GenerateDataKey'],
} as const;

export type TableUse = keyof typeof TABLE_ACTIONS;
export type QueueUse = keyof typeof QUEUE_ACTIONS;
export type BucketUse = keyof typeof BUCKET_ACTIONS;

interface DataKeyProps {
  readonly stage: Stage;
  /** What it encrypts: ends the sentence "Payhooks (prod): encrypts …". */
  readonly encrypts: string;
}

/** A key of the stage's own, which only serves through DynamoDB, SQS and S3: nobody who may use it can hand KMS a ciphertext. */
export class DataKey extends Key {
  constructor(scope: Construct, id: string, { stage, encrypts }: DataKeyProps) {
    super(scope, id, {
      description: `Payhooks (${stage.name}): encrypts ${encrypts}`,
      enableKeyRotation: true,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** Lets a function have DynamoDB use the key; what it may do with the items, its grants on the tables say. */
  allowTables(user: IGrantable, use: TableUse): void {
    this.#allowThrough('dynamodb', user, TABLE_ACTIONS[use]);
  }

  /** Lets a function have SQS use the key; `sending` includes receiving. */
  allowQueues(user: IGrantable, use: QueueUse): void {
    this.#allowThrough('sqs', user, QUEUE_ACTIONS[use]);
  }

  /** Lets somebody have S3 use the key; `asking` reads objects and leaves answers there, as Athena does for whoever asks it. */
  allowBuckets(user: IGrantable, use: BucketUse): void {
    this.#allowThrough('s3', user, BUCKET_ACTIONS[use]);
  }

  /**
   * Lets EventBridge put what rules of this account match on a queue that is encrypted with the key. AWS documents the statement without conditions, and CDK
   * adds the account. That KMS is also told which rule sends (`aws:SourceArn`) is documented nowhere, and a condition that is never met loses every event; the
   * policy of the queue names the rules.
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

  /** What CDK grants by itself, such as to readers of a table's stream, goes through DynamoDB too. */
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
