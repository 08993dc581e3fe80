import { Annotations, ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';
import { refuseElsewhere } from '../elsewhere.ts';
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
  readonly settings: Settings;
  /** What it encrypts; completes "Payhooks (prod): encrypts …". */
  readonly encrypts: string;
  /** Whether functions seal and open secrets with it. @default false */
  readonly seals?: boolean;
  /** A key to use instead of one that is made. */
  readonly existing?: IKey | undefined;
}

/**
 * A key of the deployment, used only through DynamoDB, SQS, S3 and EventBridge, or to seal and open secrets.
 * The policy of one that is made gives nobody more, and whoever administers it may not use it.
 */
export class DataKey {
  readonly key: IKey;
  readonly #scope: Construct;

  constructor(scope: Construct, id: string, { settings, encrypts, seals = false, existing }: DataKeyProps) {
    this.#scope = scope;
    if (existing !== undefined) {
      refuseElsewhere(existing, 'key', Stack.of(scope));
    }
    this.key =
      existing ??
      new KeyOfServices(scope, id, {
        description: `Payhooks (${settings.name}): encrypts ${encrypts}`,
        enableKeyRotation: true,
        // The emulator knows no `kms:ViaService`.
        ...(settings.emulated ? {} : { policy: keyPolicy(Stack.of(scope), settings, { seals }) }),
      });
  }

  get keyArn(): string {
    return this.key.keyArn;
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
    this.#addToPolicy(
      new PolicyStatement({
        sid: 'RulesOfThisAccount',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: [...QUEUE_ACTIONS.sending],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this.#scope).account } },
      }),
    );
  }

  /**
   * Lets EventBridge encrypt a bus of this account with the key. Without the bus's ARN, as `allowRules`:
   * `kms:DescribeKey` has no encryption context.
   * Source: "Authorizing EventBridge to use a customer managed key", Amazon EventBridge User Guide.
   */
  allowBus(): void {
    this.#addToPolicy(
      new PolicyStatement({
        sid: 'BusesOfThisAccount',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['kms:DescribeKey', 'kms:GenerateDataKey', 'kms:Decrypt'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this.#scope).account } },
      }),
    );
  }

  /**
   * Lets CloudWatch Logs encrypt log groups of this account with the key. Source: "Encrypt log data in
   * CloudWatch Logs using AWS KMS", Amazon CloudWatch Logs User Guide.
   */
  allowLogs(): void {
    const stack = Stack.of(this.#scope);
    const groups = stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.#addToPolicy(
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

  /** An imported key keeps its policy: whoever has it adds the statement. */
  #addToPolicy(statement: PolicyStatement): void {
    if (!this.key.addToResourcePolicy(statement, true).statementAdded) {
      Annotations.of(this.#scope).addWarningV2(
        `payhooks:key-policy:${statement.sid}`,
        `The policy of the imported key must have this statement: ${JSON.stringify(Stack.of(this.#scope).resolve(statement.toStatementJson()))}`,
      );
    }
  }

  #allowThrough(service: Through, grantee: IGrantable, actions: readonly string[]): void {
    allowThrough(this.key, service, grantee, actions);
  }
}

type Through = 'dynamodb' | 'sqs' | 's3';

/** Grants that CDK makes itself, such as for readers of a table's stream, also go through DynamoDB only. */
class KeyOfServices extends Key {
  override grant(grantee: IGrantable, ...actions: string[]): Grant {
    return allowThrough(this, 'dynamodb', grantee, actions);
  }
}

function allowThrough(key: IKey, service: Through, grantee: IGrantable, actions: readonly string[]): Grant {
  return Grant.addToPrincipal({
    grantee,
    actions: [...actions],
    resourceArns: [key.keyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': `${service}.${Stack.of(key).region}.amazonaws.com` },
    },
  });
}
