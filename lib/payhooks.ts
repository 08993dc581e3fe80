import {
  type App,
  Aspects,
  CliCredentialsStackSynthesizer,
  RemovalPolicies,
  RemovalPolicy,
  Tags,
} from 'aws-cdk-lib';
import { EncryptedLogs } from './constructs/data/encrypted-logs.ts';
import { recordDeployment } from './deployment-record.ts';
import { stageDeployment } from './recorded-deployment.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { ArchiveStack } from './stacks/archive-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { LoadLabStack } from './stacks/load-lab-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { PeopleStack } from './stacks/people-stack.ts';
import { PipelineStack } from './stacks/pipeline-stack.ts';
import { refuseLongName, type Stage } from './stage.ts';

/** What has data that nothing makes again, or an address that partners know. */
const KEPT_TYPES = [
  'AWS::DynamoDB::Table',
  'AWS::EC2::EIP',
  'AWS::KMS::Key',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
];

/**
 * Adds all stacks of a stage, named `payhooks-<stage>-<part>`.
 *
 * @throws when the name is too long
 */
export function addPayhooks(app: App, stage: Stage) {
  refuseLongName(stage);
  const props = (part: string, description: string) => ({
    stage,
    stackName: `payhooks-${stage.name}-${part}`,
    description: `Payhooks (${stage.name}): ${description}`,
    terminationProtection: stage.keepsData,
    ...(stage.env === undefined ? {} : { env: stage.env }),
    // The emulator denies the bootstrap roles access to their own bucket.
    ...(stage.emulated ? { synthesizer: new CliCredentialsStackSynthesizer() } : {}),
  });
  const data = new DataStack(
    app,
    'Data',
    props('data', 'subscriptions, secrets, tokens, ordering keys and the history'),
  );
  const pipeline = new PipelineStack(app, 'Pipeline', {
    ...props('pipeline', 'from the bus to the partner'),
    data,
  });
  const archive =
    stage.archive === undefined
      ? undefined
      : new ArchiveStack(app, 'Archive', {
          ...props('archive', 'the attempts of all messages in S3, for SQL'),
          data,
          retention: stage.archive.retention,
        });
  const api = new ApiStack(app, 'Api', {
    ...props('api', 'the HTTP API for partners, and the doctor'),
    data,
    pipeline,
    archiveDeadLetters: archive?.changes.deadLetters,
  });
  const loadLab = stage.loadLab
    ? new LoadLabStack(app, 'LoadLab', {
        ...props('load-lab', 'a simulated receiver of webhooks, for load runs'),
        pipeline,
      })
    : undefined;
  const observability = new ObservabilityStack(app, 'Observability', {
    ...props('observability', 'alarms and the dashboard'),
    data,
    pipeline,
    api,
    archive,
  });
  const people = new PeopleStack(app, 'People', {
    ...props('people', 'roles and saved queries for analysts and the person on call'),
    data,
    pipeline,
    api,
    archive,
  });
  if (data.spareKey !== undefined) {
    Aspects.of(app).add(new EncryptedLogs(data.spareKey));
  }
  RemovalPolicies.of(app).apply(stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY, {
    applyToResourceTypes: KEPT_TYPES,
  });
  for (const [name, value] of Object.entries({ ...stage.tags, project: 'payhooks', stage: stage.name })) {
    Tags.of(app).add(name, value);
  }
  const parts = {
    data,
    pipeline,
    api,
    observability,
    people,
    ...(archive === undefined ? {} : { archive }),
    ...(loadLab === undefined ? {} : { loadLab }),
  };
  recordDeployment(parts, stageDeployment(stage.name), stage);
  return parts;
}
