import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { historyTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import type { ArchiveEnv } from '../../functions/streams/archive/env.ts';
import { ArchiveBucket } from '../constructs/data/archive-bucket.ts';
import { ArchiveCatalogue } from '../constructs/data/archive-catalogue.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { TableFollower } from '../constructs/functions/table-follower.ts';
import { NAMED_QUERIES } from '../named-queries.ts';
import type { Settings } from '../settings.ts';
import type { Data } from './data.ts';

interface ArchiveProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly retention: Duration;
}

/** The longest that Lambda waits: fewer files to pay for and to open. */
const WINDOW = Duration.minutes(5);

/** Lambda's limit; six megabytes, some two thousand changes, end a batch earlier. */
const BATCH_SIZE = 10_000;

/** Athena's name for the Glue catalogue. */
const GLUE_CATALOGUE = 'AwsDataCatalog';

/** A query that reads more, some $0.50 worth, is stopped: it names no day, or is a mistake. */
const MAX_BYTES_READ = 100e9;

/**
 * What Athena's console needs before anybody can query. AWS grants these lists on all resources or none.
 * Sources: as below.
 */
const LIST_ACTIONS = ['athena:ListDataCatalogs', 'athena:ListEngineVersions', 'athena:ListWorkGroups'];

/** What its tree of databases and tables reads. The grants on the Glue catalogue limit what it shows. */
const METADATA_ACTIONS = [
  'athena:GetDatabase',
  'athena:GetDataCatalog',
  'athena:GetTableMetadata',
  'athena:ListDatabases',
  'athena:ListTableMetadata',
];

/**
 * Queries, their results, and the saved queries of a workgroup.
 * Sources: "Use IAM policies to control workgroup access", Amazon Athena User Guide; "Actions, resources, and
 * condition keys for Amazon Athena", Service Authorization Reference.
 */
const QUERY_ACTIONS = [
  'athena:BatchGetNamedQuery',
  'athena:BatchGetQueryExecution',
  'athena:GetNamedQuery',
  'athena:GetQueryExecution',
  'athena:GetQueryResults',
  'athena:GetQueryResultsStream',
  'athena:GetQueryRuntimeStatistics',
  'athena:GetWorkGroup',
  'athena:ListNamedQueries',
  'athena:ListQueryExecutions',
  'athena:StartQueryExecution',
  'athena:StopQueryExecution',
];

/** history -> archive -> files in S3, by table and day -> Athena. */
export class Archive extends Construct {
  readonly archive: ServiceFunction;
  /** Sends attempts and final states to `archive`. */
  readonly changes: TableFollower;
  /**
   * Lets people query the archive through its workgroup and read the results; nothing else in Athena, Glue or
   * S3.
   */
  readonly querying: ManagedPolicy;
  readonly #bucket: ArchiveBucket;
  readonly catalogue: ArchiveCatalogue;
  readonly workGroupName: string;

  constructor(scope: Construct, id: string, props: ArchiveProps) {
    super(scope, id);
    const { settings, data, retention } = props;
    this.#bucket = new ArchiveBucket(this, 'Bucket', { retention, encryptionKey: data.dataKey });
    const { bucket } = this.#bucket;

    this.archive = new ServiceFunction(this, 'Archive', {
      settings,
      name: 'archive',
      description: 'Writes attempts and final states of messages to files in S3',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      environment: { ARCHIVE_BUCKET: bucket.bucketName } satisfies ArchiveEnv,
    });
    this.changes = new TableFollower(this, 'Changes', {
      table: data.history,
      worker: this.archive,
      // Items that expire are ignored.
      filter: FilterCriteria.filter({
        eventName: FilterRule.or('INSERT', 'MODIFY'),
        dynamodb: {
          Keys: {
            [historyTable.sortKey]: {
              S: FilterRule.beginsWith(historyTable.messagePrefix),
            },
          },
        },
      }),
      window: settings.emulated ? settings.statisticsWindow : WINDOW,
      batchSize: BATCH_SIZE,
      // Writing twice replaces the file: retrying loses nothing and gives an operator time to repair.
      retries: -1,
    });
    // The stream has the same encryption as its table.
    data.allowDataKey(this.archive, { tables: 'reading' });
    this.#bucket.allowWriting(this.archive);

    this.catalogue = new ArchiveCatalogue(this, 'Catalogue', { settings, retention, bucket });
    this.workGroupName = `payhooks-${settings.name}`;
    const workGroup = this.#workGroup(settings);
    if (!settings.emulated) {
      for (const { name, question, sql } of NAMED_QUERIES) {
        new CfnNamedQuery(this, `Query ${name}`, {
          name,
          description: question,
          database: this.catalogue.databaseName,
          workGroup: this.workGroupName,
          queryString: sql,
        }).node.addDependency(workGroup);
      }
    }

    this.querying = new ManagedPolicy(this, 'Asking', {
      description: `Payhooks (${settings.name}): query the archive in SQL`,
    });
    this.#allowQuerying(this.querying);
  }

  get bucket(): Bucket {
    return this.#bucket.bucket;
  }

  #allowQuerying(people: ManagedPolicy): void {
    const allow = (actions: readonly string[], resource: string) =>
      people.grantPrincipal.addToPrincipalPolicy(
        new PolicyStatement({ actions: [...actions], resources: [resource] }),
      );
    const athena = (resource: string, resourceName: string) =>
      Stack.of(this).formatArn({ service: 'athena', resource, resourceName });
    allow(QUERY_ACTIONS, athena('workgroup', this.workGroupName));
    allow(METADATA_ACTIONS, athena('datacatalog', GLUE_CATALOGUE));
    allow(LIST_ACTIONS, '*');
    Validations.of(people).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        "Athena's lists have no resources to grant on. They reveal names of catalogues and workgroups, and nothing in them.",
    });
    this.catalogue.allowReading(people);
    this.#bucket.allowQuerying(people);
  }

  #workGroup(settings: Settings): CfnWorkGroup {
    return new CfnWorkGroup(this, 'WorkGroup', {
      name: this.workGroupName,
      description: `Payhooks (${settings.name}): queries of the archive of attempts`,
      recursiveDeleteOption: !settings.keepsData,
      workGroupConfiguration: {
        // Client settings cannot override these.
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: MAX_BYTES_READ,
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: this.#bucket.resultConfiguration,
      },
    });
  }
}
