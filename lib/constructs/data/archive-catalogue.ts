import { type Duration, Stack } from 'aws-cdk-lib';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ARCHIVE_TABLES, type ArchiveColumn } from '../../../functions/core/archive/archive-columns.ts';
import type { Settings } from '../../settings.ts';

interface ArchiveCatalogueProps {
  readonly settings: Settings;
  readonly retention: Duration;
  readonly bucket: Bucket;
}

/**
 * What Athena reads from the catalogue on behalf of the caller. Source: "Fine-grained access to databases and
 * tables in the AWS Glue Data Catalog", Amazon Athena User Guide.
 */
const READING = [
  'glue:GetDatabase',
  'glue:GetDatabases',
  'glue:GetPartition',
  'glue:GetPartitions',
  'glue:GetTable',
  'glue:GetTables',
];

/** The archive's tables for Athena: their columns, and which folder is which day. */
export class ArchiveCatalogue extends Construct {
  readonly databaseName: string;

  constructor(scope: Construct, id: string, { settings, retention, bucket }: ArchiveCatalogueProps) {
    super(scope, id);
    const catalogId = Stack.of(this).account;
    // Athena knows lower case only, and takes a hyphen for a minus.
    this.databaseName = `payhooks_${settings.name.toLowerCase().replaceAll('-', '_')}`;
    const database = new CfnDatabase(this, 'Database', {
      catalogId,
      databaseInput: {
        name: this.databaseName,
        description: `Payhooks (${settings.name}): attempts and final states of messages, by day`,
      },
    });
    for (const [name, columns] of Object.entries(ARCHIVE_TABLES)) {
      new CfnTable(this, name, {
        catalogId,
        databaseName: this.databaseName,
        tableInput: tableOf(name, columns, bucket.s3UrlForObject(name), retention),
      }).addResourceDependency(database);
    }
  }

  /** Lets people list the tables and columns. */
  allowReading(people: IGrantable): void {
    const arn = (resource: string) =>
      Stack.of(this).formatArn({ service: 'glue', resource, resourceName: this.databaseName });
    people.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: READING,
        resources: [
          Stack.of(this).formatArn({ service: 'glue', resource: 'catalog' }),
          arn('database'),
          ...Object.keys(ARCHIVE_TABLES).map((table) => `${arn('table')}/${table}`),
        ],
      }),
    );
  }
}

/**
 * Uses partition projection: Athena derives the folders from the days in a query, so nobody registers
 * partitions. Source: "Set up partition projection", Amazon Athena User Guide.
 */
function tableOf(name: string, columns: readonly ArchiveColumn[], location: string, retention: Duration) {
  return {
    name,
    tableType: 'EXTERNAL_TABLE',
    partitionKeys: [{ name: 'day', type: 'string', comment: 'In UTC, such as 2026-11-14' }],
    parameters: {
      classification: 'json',
      'projection.enabled': 'true',
      'projection.day.type': 'date',
      'projection.day.format': 'yyyy-MM-dd',
      // The bucket's lifecycle rule may act up to two days late.
      'projection.day.range': `NOW-${retention.toDays() + 2}DAYS,NOW`,
      'projection.day.interval': '1',
      'projection.day.interval.unit': 'DAYS',
      'storage.location.template': `${location}/day=\${day}/`,
    },
    storageDescriptor: {
      columns: columns.map(({ name: column, type, meaning }) => ({ name: column, type, comment: meaning })),
      location: `${location}/`,
      compressed: true,
      inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
      outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
      serdeInfo: { serializationLibrary: 'org.openx.data.jsonserde.JsonSerDe' },
    },
  };
}
