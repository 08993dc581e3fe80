import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { historyTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import type { ArchiveEnv } from '../../functions/streams/archive/env.ts';
import { ArchiveBucket } from '../constructs/data/archive-bucket.ts';
import { ArchiveCatalogue } from '../constructs/data/archive-catalogue.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { TableFollower } from '../constructs/functions/table-follower.ts';
import { NAMED_QUERIES } from '../named-queries.ts';
import type { Stage } from '../stages.ts';
import type { DataStack } from './data-stack.ts';

interface ArchiveStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly retention: Duration;
}

/** The longest that Lambda waits: few files, and so few to pay for and to open. */
const WINDOW = Duration.minutes(5);

/** As many as Lambda hands over; six megabytes, some two thousand changes, are there before. */
const BATCH_SIZE = 10_000;

/** What Athena calls the catalogue of Glue. */
const GLUE_CATALOGUE = 'AwsDataCatalog';

/** A question that reads more, some $0.50 worth, is stopped: it has no day in it, or was asked by mistake. */
const MAX_BYTES_READ = 100e9;

/** What Athena's console asks for before anybody can ask a question: AWS grants these lists on everything or not at all. Sources: as below. */
const LISTS_OF_ATHENA = ['athena:ListDataCatalogs', 'athena:ListEngineVersions', 'athena:ListWorkGroups'];

/** What its tree of databases and tables reads; what there is to be seen, the grants on the catalogue of Glue say. */
const METADATA_OF_ATHENA = [
  'athena:GetDatabase',
  'athena:GetDataCatalog',
  'athena:GetTableMetadata',
  'athena:ListDatabases',
  'athena:ListTableMetadata',
];

/**
 * Questions, their answers, and the saved queries of a workgroup.
 * Sources: "Use IAM policies to control workgroup access", Amazon Athena User Guide; "Actions, resources, and condition keys for Amazon Athena", Service Authorization Reference.
 */
const QUESTIONS_OF_ATHENA = [
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
export class ArchiveStack extends Stack {
  readonly archive: ServiceFunction;
  /** How `archive` learns of attempts and ends. */
  readonly changes: TableFollower;
  /** Lets people ask the archive by its work group, and read the answers; and nothing else of Athena, Glue or S3. */
  readonly asking: ManagedPolicy;
  readonly #bucket: ArchiveBucket;
  readonly #catalogue: ArchiveCatalogue;
  readonly #workGroupName: string;

  constructor(scope: Construct, id: string, props: ArchiveStackProps) {
    super(scope, id, props);
    const { stage, data, retention } = props;
    this.#bucket = new ArchiveBucket(this, 'Bucket', { stage, retention, encryptionKey: data.dataKey });
    const { bucket } = this.#bucket;

    this.archive = new ServiceFunction(this, 'Archive', {
      stage,
      name: 'archive',
      description: 'Writes attempts and ends of messages to files in S3',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      environment: { ARCHIVE_BUCKET: bucket.bucketName } satisfies ArchiveEnv,
    });
    this.changes = new TableFollower(this, 'Changes', {
      table: data.history,
      worker: this.archive,
      // What has been removed, at the end of its time, is no news.
      filter: FilterCriteria.filter({
        eventName: FilterRule.or('INSERT', 'MODIFY'),
        dynamodb: {
          Keys: {
            [historyTable.sortKey]: {
              S: [historyTable.messageItem, { prefix: historyTable.attemptPrefix }],
            },
          },
        },
      }),
      window: stage.emulated ? stage.statisticsWindow : WINDOW,
      batchSize: BATCH_SIZE,
      // Two would make twice the files.
      batchesAtATime: 1,
      // What is written twice takes its own place: nothing is lost by trying for as long as somebody may need to mend it.
      retries: -1,
    });
    // The stream is encrypted as its table is.
    data.allowDataKey(this.archive, { tables: 'reading' });
    this.#bucket.allowAdding(this.archive);

    this.#catalogue = new ArchiveCatalogue(this, 'Catalogue', { stage, retention, bucket });
    this.#workGroupName = `payhooks-${stage.name}`;
    const workGroup = this.#workGroup(stage);
    if (!stage.emulated) {
      for (const { name, question, sql } of NAMED_QUERIES) {
        new CfnNamedQuery(this, `Query ${name}`, {
          name,
          description: question,
          database: this.#catalogue.databaseName,
          workGroup: this.#workGroupName,
          queryString: sql,
        }).node.addDependency(workGroup);
      }
    }

    this.asking = new ManagedPolicy(this, 'Asking', {
      description: `Payhooks (${stage.name}): questions to the archive by SQL`,
    });
    this.#allowAsking(this.asking);

    new CfnOutput(this, 'ArchiveBucketName', { value: bucket.bucketName });
    new CfnOutput(this, 'ArchiveDeadLettersUrl', { value: this.changes.deadLetters.queueUrl });
    new CfnOutput(this, 'WorkGroupName', { value: this.#workGroupName });
    new CfnOutput(this, 'DatabaseName', { value: this.#catalogue.databaseName });
  }

  #allowAsking(people: ManagedPolicy): void {
    const allow = (actions: readonly string[], resource: string) =>
      people.grantPrincipal.addToPrincipalPolicy(
        new PolicyStatement({ actions: [...actions], resources: [resource] }),
      );
    const athena = (resource: string, resourceName: string) =>
      this.formatArn({ service: 'athena', resource, resourceName });
    allow(QUESTIONS_OF_ATHENA, athena('workgroup', this.#workGroupName));
    allow(METADATA_OF_ATHENA, athena('datacatalog', GLUE_CATALOGUE));
    allow(LISTS_OF_ATHENA, '*');
    Validations.of(people).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Lists of Athena have no resources to grant them on. They tell names of catalogues and workgroups, and nothing that is in them.',
    });
    this.#catalogue.allowReading(people);
    this.#bucket.allowAsking(people);
  }

  #workGroup(stage: Stage): CfnWorkGroup {
    return new CfnWorkGroup(this, 'WorkGroup', {
      name: this.#workGroupName,
      description: `Payhooks (${stage.name}): questions to the archive of attempts`,
      recursiveDeleteOption: !stage.keepsData,
      workGroupConfiguration: {
        // Nobody's own settings take the place of these.
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: MAX_BYTES_READ,
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: this.#bucket.answers,
      },
    });
  }
}
