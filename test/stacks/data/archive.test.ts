import { Match } from 'aws-cdk-lib/assertions';
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import { archived } from '../../../lib/app/stage-options.ts';
import { NAMED_QUERIES } from '../../../lib/named-queries.ts';
import { STAGES } from '../../../payhooks.config.ts';
import {
  actionsOf,
  propertiesOf,
  type Statement,
  statementsOf,
  synthesized,
  testApp,
} from '../../support/templates/synthesized.ts';

const { archive } = synthesized('prod');
const [{ PolicyDocument }] = propertiesOf(archive, 'IAM::ManagedPolicy') as [
  { PolicyDocument: { Statement: Statement[] } },
];
const asking = PolicyDocument.Statement;

test('a stage has an archive if it sets a retention; the local one, if asked to', () => {
  expect(addPayhooks(testApp(), STAGES.local).archive).toBeUndefined();
  expect(archived(STAGES.local, undefined)).toBe(STAGES.local);
  expect(addPayhooks(testApp(), archived(STAGES.local, 'true')).archive).toBeDefined();
  expect(() => archived(STAGES.dev, 'true')).toThrow(
    '-c archive=true is for the local stage only, not for dev',
  );
});

test('archive follows the history and adds files, but neither reads nor deletes any', () => {
  expect(statementsOf(archive, 'Archive').flatMap(actionsOf).sort()).toEqual([
    ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
      (action) => `dynamodb:${action}`,
    ),
    'kms:Decrypt',
    'kms:GenerateDataKey',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    's3:PutObject',
    'sqs:SendMessage',
  ]);
  const put = statementsOf(archive, 'Archive').find(({ Action }) => Action === 's3:PutObject');
  expect(JSON.stringify(put?.Resource)).toMatch(/"\/attempts\/\*".*"\/messages\/\*"/);
});

test('it receives new and changed messages and attempts, in the largest possible batches', () => {
  archive.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    BatchSize: 10_000,
    MaximumBatchingWindowInSeconds: 300,
    ParallelizationFactor: 1,
    BisectBatchOnFunctionError: true,
    TumblingWindowInSeconds: Match.absent(),
    FilterCriteria: {
      Filters: [
        {
          Pattern: JSON.stringify({
            eventName: ['INSERT', 'MODIFY'],
            dynamodb: { Keys: { item: { S: [{ prefix: 'message#' }] } } },
          }),
        },
      ],
    },
  });
});

test('a failed write is retried for twelve hours, because writing twice replaces the same file', () => {
  archive.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    MaximumRetryAttempts: -1,
    MaximumRecordAgeInSeconds: 43_200,
  });
});

test("files expire after the stage's retention, query results after a week; nothing is public, and prod uses its own key", () => {
  const all = {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  };
  archive.hasResource('AWS::S3::Bucket', {
    DeletionPolicy: 'Retain',
    Properties: {
      PublicAccessBlockConfiguration: all,
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } },
        ],
      },
      LifecycleConfiguration: {
        Rules: Match.arrayWith([
          { Id: 'attempts', Prefix: 'attempts/', ExpirationInDays: 400, Status: 'Enabled' },
          { Id: 'messages', Prefix: 'messages/', ExpirationInDays: 400, Status: 'Enabled' },
          { Id: 'answers', Prefix: 'answers/', ExpirationInDays: 7, Status: 'Enabled' },
        ]),
      },
    },
  });
});

test.each(Object.entries(ARCHIVE_TABLES))(
  'Athena knows the columns of %s, and projects its days',
  (name, columns) => {
    archive.hasResourceProperties('AWS::Glue::Table', {
      DatabaseName: 'payhooks_prod',
      TableInput: {
        Name: name,
        PartitionKeys: [{ Name: 'day', Type: 'string' }],
        Parameters: Match.objectLike({
          'projection.enabled': 'true',
          'projection.day.range': 'NOW-402DAYS,NOW',
          'storage.location.template': {
            'Fn::Join': ['', ['s3://', Match.anyValue(), `/${name}/day=\${day}/`]],
          },
        }),
        StorageDescriptor: {
          Columns: columns.map((column) => ({
            Name: column.name,
            Type: column.type,
            Comment: column.meaning,
          })),
        },
      },
    });
  },
);

test('a query that reads too much is stopped, and every named query is saved in the workgroup', () => {
  archive.hasResourceProperties('AWS::Athena::WorkGroup', {
    WorkGroupConfiguration: {
      EnforceWorkGroupConfiguration: true,
      BytesScannedCutoffPerQuery: 100_000_000_000,
      ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_KMS' } },
    },
  });
  const saved = propertiesOf(archive, 'Athena::NamedQuery');
  expect(saved.map(({ Name, QueryString, WorkGroup }) => [Name, QueryString, WorkGroup])).toEqual(
    NAMED_QUERIES.map(({ name, sql }) => [name, sql, 'payhooks-prod']),
  );
});

test('whoever may query reads rows, reads and writes results, and uses this workgroup alone', () => {
  const puts = asking.filter((statement) => actionsOf(statement).includes('s3:PutObject'));
  expect(puts).toHaveLength(1);
  expect(JSON.stringify(puts[0]?.Resource)).toContain('/answers/*');
  expect(JSON.stringify(puts[0]?.Resource)).not.toMatch(/attempts|messages/);
  expect(JSON.stringify(asking)).not.toMatch(/Delete|:\*"/);
  const starts = asking.filter((statement) => actionsOf(statement).includes('athena:StartQueryExecution'));
  expect(starts).toHaveLength(1);
  expect(JSON.stringify(starts[0]?.Resource)).toContain('workgroup/payhooks-prod');
});
