import { Duration, Stack, Validations } from 'aws-cdk-lib';
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
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { DataKey } from './data-key.ts';

interface ArchiveBucketProps {
  /** Rows expire this long after they were written. */
  readonly retention: Duration;
  /** @default - a key that S3 owns */
  readonly encryptionKey: DataKey | undefined;
}

const TABLE_FOLDERS = Object.keys(ARCHIVE_TABLES);

/** Athena's query results. */
const RESULTS_FOLDER = 'answers';
const RESULTS_RETENTION = Duration.days(7);

/**
 * The archive's files: a folder per table, and one for Athena's query results. Unversioned on purpose: a
 * rewritten file holds the same rows or fewer that another file also holds, none of our functions may delete
 * one, and what the lifecycle rule expires must be gone.
 */
export class ArchiveBucket extends Construct {
  readonly bucket: Bucket;
  readonly resultConfiguration: CfnWorkGroup.ResultConfigurationProperty;
  readonly #key: DataKey | undefined;

  constructor(scope: Construct, id: string, { retention, encryptionKey }: ArchiveBucketProps) {
    super(scope, id);
    this.#key = encryptionKey;
    this.bucket = new Bucket(this, 'Bucket', {
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : // With a bucket key, S3 calls KMS now and then instead of once per file.
          { encryption: BucketEncryption.KMS, encryptionKey: encryptionKey.key, bucketKeyEnabled: true }),
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        ...TABLE_FOLDERS.map((folder) => ({ id: folder, prefix: `${folder}/`, expiration: retention })),
        { id: RESULTS_FOLDER, prefix: `${RESULTS_FOLDER}/`, expiration: RESULTS_RETENTION },
        { id: 'unfinished', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Athena records who queried what, and CloudTrail data events record reads where they are on. Access logs would be a second archive.',
    });
    this.resultConfiguration = {
      outputLocation: this.bucket.s3UrlForObject(`${RESULTS_FOLDER}/`),
      encryptionConfiguration:
        encryptionKey === undefined
          ? { encryptionOption: 'SSE_S3' }
          : { encryptionOption: 'SSE_KMS', kmsKey: encryptionKey.keyArn },
    };
  }

  /** Lets a function add files, but neither read nor delete any. */
  allowWriting(worker: ServiceFunction): void {
    this.#allow(worker.grantPrincipal, ['s3:PutObject'], TABLE_FOLDERS);
    this.#key?.allowBuckets(worker, 'writing');
    for (const folder of TABLE_FOLDERS) {
      Validations.of(worker.role ?? worker).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${this.#name}.Arn>/${folder}/*]`,
        reason: "All files of a table, and no others: their names derive from the history's stream.",
      });
    }
  }

  /** Lets people read the rows, and write and read query results. */
  allowQuerying(people: ManagedPolicy): void {
    people.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['s3:GetBucketLocation', 's3:ListBucket'],
        resources: [this.bucket.bucketArn],
      }),
    );
    this.#allow(people.grantPrincipal, ['s3:GetObject'], [...TABLE_FOLDERS, RESULTS_FOLDER]);
    this.#allow(
      people.grantPrincipal,
      ['s3:AbortMultipartUpload', 's3:ListMultipartUploadParts', 's3:PutObject'],
      [RESULTS_FOLDER],
    );
    this.#key?.allowBuckets(people, 'querying');
    for (const folder of [...TABLE_FOLDERS, RESULTS_FOLDER]) {
      Validations.of(people).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${this.#name}.Arn>/${folder}/*]`,
        reason: 'All files of a table or all query results, and no others: Athena names the results.',
      });
    }
  }

  /** The name that cdk-nag findings use. */
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
