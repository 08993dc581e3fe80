import type { Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/payhooks.ts';
import type { Stage } from '../../../lib/stage.ts';
import { STAGES } from '../../../lib/stages.ts';
import { ORDERED } from '../../../lib/test-stages.ts';
import { nagged, statementsOf } from '../../support/templates/resources.ts';
import { synthesized, testApp } from '../../support/templates/synthesized.ts';

const { pipeline, data } = synthesized(ORDERED);

/** The only resource of a type whose logical id begins so. */
function only(template: Template, type: string, begins = '') {
  const found = Object.entries(template.findResources(type)).filter(([id]) => id.startsWith(begins));
  expect(found).toHaveLength(1);
  const [id, { Properties, DependsOn }] = found[0]!;
  return { id, Properties, DependsOn };
}
const arnOf = (begins: string) => ({
  'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${begins}[0-9A-F]{8}$`)), 'Arn'],
});
const bus = only(pipeline, 'AWS::EventsV2::EventBus');
const busArn = { 'Fn::GetAtt': [bus.id, 'EventBusArn'] };
const subscriber = only(pipeline, 'AWS::EventsV2::Subscriber');

test.each(['local', 'dev', 'prod'] as const)('%s has no ordered bus', (name) => {
  for (const template of Object.values(synthesized(name))) {
    expect(JSON.stringify(template)).not.toMatch(/EventsV2|event-busv2|PutRawEvents/);
  }
});

test('an emulated stage cannot have one', () => {
  expect(() => synthesized({ ...STAGES.local, orderedBus: ORDERED.orderedBus! })).toThrow(
    'local: the emulator has no Custom Event Bus. Leave out orderedBus (lib/stages.ts)',
  );
});

test.each([0, 366, 1.5])('AWS does not keep events for %p days', (retentionDays) => {
  const stage: Stage = { ...ORDERED, orderedBus: { retentionDays, publishers: 'account' } };
  expect(() => addPayhooks(testApp(), stage)).toThrow(
    `ordered: the ordered bus keeps events for 1 to 365 whole days, but retentionDays of orderedBus is ${retentionDays}`,
  );
});

test('a stage with one passes cdk-nag', () => {
  expect(() => nagged(ORDERED)).not.toThrow();
});

test('the bus keeps events as long as the stage says, under its key', () => {
  expect(bus.Properties).toMatchObject({
    Name: 'payhooks-ordered-ordered',
    StorageConfiguration: { RetentionPeriodInDays: 7 },
    EncryptionConfiguration: {
      KmsKeyIdentifier: {
        'Fn::GetStackOutput': expect.objectContaining({ OutputName: expect.stringContaining('DataKey') }),
      },
    },
  });
  const { pipeline: without } = synthesized({
    ...ORDERED,
    customerManagedKey: false,
    ownKeysEverywhere: false,
  });
  expect(only(without, 'AWS::EventsV2::EventBus').Properties).not.toHaveProperty('EncryptionConfiguration');
});

test('the events queue gets each event as it was published, in the order of its group, one at a time', () => {
  expect(subscriber.Properties).toMatchObject({
    EventBusArn: busArn,
    Type: 'FIFO',
    StartingPosition: 'LATEST',
    Transformer: { Type: 'RAW' },
    BatchConfiguration: { MaxBatchSize: 1 },
    InvokeConfiguration: { TargetArn: arnOf('EventsQueue') },
  });
  expect(subscriber.Properties).not.toHaveProperty('FilterConfiguration');
  const { SqsParameters } = subscriber.Properties.InvokeConfiguration;
  // Without a deduplication id the queue uses its own, the content, as it does for the rules.
  expect(Object.keys(SqsParameters)).toEqual(['MessageGroupId']);
  expect(SqsParameters.MessageGroupId).toMatch(
    /^\{% .*\$events\.SystemMetadata\.EventGroupId.* : 'rest' %\}$/,
  );
  expect(only(pipeline, 'AWS::SQS::Queue', 'EventsQueue').Properties.ContentBasedDeduplication).toBe(true);
});

test('what cannot be delivered for a day is among the dead letters of the rules', () => {
  expect(subscriber.Properties).toMatchObject({
    RetryPolicy: { MaxEventAgeInSeconds: 86_400, MaxRetryAttempts: 185 },
    OnFailureConfiguration: { Arn: arnOf('RulesDeadLetters') },
  });
});

test('only subscribers of this bus may take on the role that sends to both queues', () => {
  const role = only(pipeline, 'AWS::IAM::Role', 'OrderedBusRole');
  expect(role.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Action: 'sts:AssumeRole',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Condition: {
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
        ArnLike: { 'aws:SourceArn': expect.anything() },
      },
    },
  ]);
  expect(JSON.stringify(role)).toContain(':subscriber/payhooks-ordered-ordered*');
  expect(subscriber.Properties.InvokeConfiguration.RoleArn).toEqual({ 'Fn::GetAtt': [role.id, 'Arn'] });
  expect(statementsOf(pipeline, 'OrderedBusRole')).toEqual([
    {
      Action: 'sqs:SendMessage',
      Effect: 'Allow',
      Resource: [arnOf('EventsQueue'), arnOf('RulesDeadLetters')],
    },
    expect.objectContaining({ Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
  ]);
  expect(subscriber.DependsOn).toEqual(
    expect.arrayContaining([expect.stringMatching(/^OrderedBusRoleDefaultPolicy/)]),
  );
});

test('publishers may put raw events on the bus and do nothing else', () => {
  expect(statementsOf(pipeline, 'OrderedPublisherRole')).toEqual([
    { Action: 'events:PutRawEvents', Effect: 'Allow', Resource: busArn },
    {
      Action: 'kms:Decrypt',
      Effect: 'Allow',
      Resource: {
        'Fn::GetStackOutput': expect.objectContaining({ OutputName: expect.stringContaining('DataKey') }),
      },
      Condition: {
        StringEquals: {
          'kms:ViaService': { 'Fn::Join': ['', ['events.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
        },
      },
    },
  ]);
  for (const name of ['OrderedBusArn', 'OrderedSubscriberArn', 'OrderedPublisherRoleArn']) {
    expect(pipeline.findOutputs(name)).not.toEqual({});
  }
});

test('EventBridge may use the key for buses of this name only', () => {
  const { Statement } = only(data, 'AWS::KMS::Key', 'DataKey').Properties.KeyPolicy;
  const statement = Statement.find(({ Sid }: { readonly Sid?: string }) => Sid === 'OrderedBus');
  expect(statement).toMatchObject({
    Principal: { Service: 'events.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  });
  expect(JSON.stringify(statement.Condition.StringLike)).toMatch(
    /"kms:EncryptionContext:aws:events:event-busv2:arn":.*:event-busv2\/payhooks-ordered-ordered\/\*"/,
  );
});
