import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { type IPrincipal, type ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ARCHIVE_TABLES } from '../../../functions/core/message/archive-columns.ts';
import type { Stage } from '../../stages.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { DataKey } from './data-key.ts';

interface ArchiveBucketProps {
  readonly stage: Stage;
  /** Rows are removed so long after they were written. */
  readonly retention: Duration;
  /** @default - a key that S3 owns */
  readonly encryptionKey: DataKey | undefined;
}

const TABLE_FOLDERS = Object.keys(ARCHIVE_TABLES);

/** Where Athena leaves what it has answered. */
const ANSWERS_FOLDER = 'answers';
const ANSWERS_KEPT = Duration.days(7);

/**
 * The archive's files: a folder for each table, and one for Athena's answers. Without versions: a file that is written again is the same or holds less of what
 * another holds, nobody of ours may delete one, and what the lifecycle removes shall be gone.
 */
export class ArchiveBucket extends Construct {
  readonly bucket: Bucket;
  readonly answers: CfnWorkGroup.ResultConfigurationProperty;
  readonly #key: DataKey | undefined;

  constructor(scope: Construct, id: string, { stage, retention, encryptionKey }: ArchiveBucketProps) {
    super(scope, id);
    this.#key = encryptionKey;
    this.bucket = new Bucket(this, 'Bucket', {
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : // S3 asks KMS for a key of the bucket's own now and then, and not for each file.
          { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }),
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      lifecycleRules: [
        ...TABLE_FOLDERS.map((folder) => ({ id: folder, prefix: `${folder}/`, expiration: retention })),
        { id: ANSWERS_FOLDER, prefix: `${ANSWERS_FOLDER}/`, expiration: ANSWERS_KEPT },
        { id: 'unfinished', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Who asked what is on record with Athena, and reading with CloudTrail where data events are on; access logs would be a second archive beside it.',
    });
    this.answers = {
      outputLocation: this.bucket.s3UrlForObject(`${ANSWERS_FOLDER}/`),
      encryptionConfiguration:
        encryptionKey === undefined
          ? { encryptionOption: 'SSE_S3' }
          : { encryptionOption: 'SSE_KMS', kmsKey: encryptionKey.keyArn },
    };
  }

  /** Lets a function add files of rows, and neither read nor remove any. */
  allowAdding(worker: ServiceFunction): void {
    this.#allow(worker.grantPrincipal, ['s3:PutObject'], TABLE_FOLDERS);
    this.#key?.allowBuckets(worker, 'writing');
    for (const folder of TABLE_FOLDERS) {
      Validations.of(worker.role ?? worker).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${this.#name}.Arn>/${folder}/*]`,
        reason: 'All files of a table, and no others: their names come from the stream of the history.',
      });
    }
  }

  /** Lets people read files of rows, and write and read Athena's answers. */
  allowAsking(people: ManagedPolicy): void {
    people.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['s3:GetBucketLocation', 's3:ListBucket'],
        resources: [this.bucket.bucketArn],
      }),
    );
    this.#allow(people.grantPrincipal, ['s3:GetObject'], [...TABLE_FOLDERS, ANSWERS_FOLDER]);
    this.#allow(
      people.grantPrincipal,
      ['s3:AbortMultipartUpload', 's3:ListMultipartUploadParts', 's3:PutObject'],
      [ANSWERS_FOLDER],
    );
    this.#key?.allowBuckets(people, 'asking');
    for (const folder of [...TABLE_FOLDERS, ANSWERS_FOLDER]) {
      Validations.of(people).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${this.#name}.Arn>/${folder}/*]`,
        reason: 'All files of a table, or all answers, and no others: Athena gives answers their names.',
      });
    }
  }

  /** As findings name it. */
  get #name(): string {
    return Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
  }

  #allow(principal: IPrincipal, actions: readonly string[], folders: readonly string[]): void {
    principal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: folders.map((folder) => this.bucket.arnForObjects(`${folder}/*`)),
      }),
    );
  }
}
