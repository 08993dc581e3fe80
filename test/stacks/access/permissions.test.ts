import type { Template } from 'aws-cdk-lib/assertions';
import { synthesized, WITHOUT_KEY } from '../../support/templates/synthesized.ts';

/**
 * All grants of the roles of a stack's functions as `action on resource`; resources by logical name, without
 * hashes.
 */
function grantsOf(template: Template): Record<string, string[]> {
  const grants: Record<string, string[]> = {};
  for (const { Properties } of Object.values(template.findResources('AWS::IAM::Policy'))) {
    const role = Properties.Roles[0].Ref.replace(/Role[0-9A-F]{8}$/, '');
    grants[role] = Properties.PolicyDocument.Statement.flatMap(
      ({ Action, Resource }: { Action: string | string[]; Resource: unknown }) =>
        [Action].flat().flatMap((action) => [Resource].flat().map((on) => `${action} on ${nameOf(on)}`)),
    ).sort();
  }
  return grants;
}

function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  const imported = /ExportsOutputFnGetAtt(\w+?)[0-9A-F]{8}Arn/.exec(text)?.[1];
  const own = /"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}","Arn"\]/.exec(text)?.[1];
  const live = /"Ref":"(\w+?)Live[0-9A-F]{8}"/.exec(text)?.[1];
  const stream = /ExportsOutputFnGetAtt(\w+?)[0-9A-F]{8}StreamArn/.exec(text)?.[1];
  const suffix = /"(\/index\/[^"]*)"/.exec(text)?.[1] ?? '';
  if (stream !== undefined) {
    return `${stream}/stream`;
  }
  return `${imported ?? own ?? (live && `live ${live}`) ?? text}${suffix}`;
}

const SECRETS_KEY = [
  'kms:Decrypt on SigningSecretsKey',
  'kms:Encrypt on SigningSecretsKey',
  'kms:GenerateDataKey on SigningSecretsKey',
  'kms:ReEncryptFrom on SigningSecretsKey',
  'kms:ReEncryptTo on SigningSecretsKey',
];
const tracing = ['xray:PutTelemetryRecords on "*"', 'xray:PutTraceSegments on "*"'];
const logs = (name: string) => [`logs:CreateLogStream on ${name}Logs`, `logs:PutLogEvents on ${name}Logs`];
const reading = (queue: string) =>
  ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'].map(
    (action) => `sqs:${action} on ${queue}`,
  );

test('match, deliver, wake, sweep and statistics have exactly the permissions that they need', () => {
  expect(grantsOf(synthesized(WITHOUT_KEY).pipeline)).toEqual({
    Match: [
      ...logs('Match'),
      ...reading('EventsQueue'),
      'sqs:SendMessage on EventsDeadLetters',
      'sqs:SendMessage on DeliveriesQueue',
      'dynamodb:BatchGetItem on Subscriptions',
      'dynamodb:PutItem on History',
    ].sort(),
    Deliver: [
      ...logs('Deliver'),
      'events:PutEvents on Bus',
      ...reading('DeliveriesQueue'),
      'sqs:SendMessage on DeliveriesQueue',
      'sqs:SendMessage on DeliveriesDeadLetters',
      'sqs:SendMessage on RetryTimersQueue',
      'dynamodb:BatchGetItem on Subscriptions',
      'dynamodb:UpdateItem on Subscriptions',
      'dynamodb:BatchGetItem on SigningSecrets',
      'dynamodb:BatchGetItem on History',
      'dynamodb:BatchWriteItem on History',
      'dynamodb:PutItem on History',
      ...['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on Keys`,
      ),
      'kms:Decrypt on SigningSecretsKey',
    ].sort(),
    Wake: [
      ...logs('Wake'),
      'events:PutEvents on Bus',
      ...reading('RetryTimersQueue'),
      'sqs:SendMessage on RetryTimersQueue',
      'sqs:SendMessage on DeliveriesQueue',
      'dynamodb:GetItem on Subscriptions',
      'dynamodb:PutItem on Subscriptions',
      'dynamodb:UpdateItem on Subscriptions',
      'dynamodb:UpdateItem on Keys',
      'dynamodb:Query on Keys/index/line',
      'dynamodb:Query on History/index/by_subscription',
      'dynamodb:Query on History/index/waiting',
    ].sort(),
    Sweep: [
      ...logs('Sweep'),
      'sqs:SendMessage on RetryTimersQueue',
      'dynamodb:UpdateItem on Subscriptions',
      'dynamodb:UpdateItem on Keys',
      'dynamodb:Query on Subscriptions/index/due',
      ...['aging', 'due', 'faulted', 'line'].map((index) => `dynamodb:Query on Keys/index/${index}`),
    ].sort(),
    Tally: [
      ...logs('Tally'),
      ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
        (action) => `dynamodb:${action} on History/stream`,
      ),
      'sqs:SendMessage on OutcomesDeadLetters',
      'dynamodb:UpdateItem on Statistics',
    ].sort(),
    SweepEveryMinute: ['lambda:InvokeFunction on live Sweep'],
  });
});

test("the load lab's functions have exactly the permissions that they need", () => {
  expect(grantsOf(synthesized('dev').loadLab)).toEqual({
    Receiver: [
      ...logs('Receiver'),
      ...['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on Receipts`,
      ),
    ].sort(),
    EmptyRelay: [
      ...logs('EmptyRelay'),
      ...reading('EmptyAdmittedQueue'),
      'sqs:SendMessage on EmptyNotesQueue',
    ].sort(),
    EmptyNote: [...logs('EmptyNote'), ...reading('EmptyNotesQueue')].sort(),
  });
});

test('the api creates, changes and deletes secrets but never reads one', () => {
  expect(grantsOf(synthesized(WITHOUT_KEY).api)).toEqual({
    Api: [
      ...logs('Api'),
      ...tracing,
      ...['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on Subscriptions`,
      ),
      'sqs:SendMessage on RetryTimersQueue',
      'events:PutEvents on Bus',
      'sqs:SendMessage on DeliveriesQueue',
      'dynamodb:PutItem on SigningSecrets',
      'dynamodb:UpdateItem on SigningSecrets',
      'dynamodb:DeleteItem on SigningSecrets',
      'dynamodb:GetItem on History',
      'dynamodb:Query on History',
      ...['by_payment', 'by_subscription', 'waiting'].map(
        (index) => `dynamodb:Query on History/index/${index}`,
      ),
      'dynamodb:Query on Statistics',
      'dynamodb:GetItem on Sequences',
      ...['PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action} on Idempotency`),
      'dynamodb:PutItem on Audit',
      'dynamodb:Query on Audit',
      // Of sessions, and once more of what tells whether a token has ended.
      ...['BatchGetItem', 'GetItem', 'GetItem', 'PutItem', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on ApiTokens`,
      ),
      'dynamodb:Query on ApiTokens/index/by_service',
      ...SECRETS_KEY,
    ].sort(),
    Authorize: [
      ...logs('Authorize'),
      'dynamodb:GetItem on ApiTokens',
      'dynamodb:UpdateItem on ApiTokens',
    ].sort(),
    Reference: logs('Reference'),
  });
});

test('the doctor has the permissions for its one subscription, and its receiver has none', () => {
  expect(grantsOf(synthesized(WITHOUT_KEY).doctor)).toEqual({
    CheckIn: logs('CheckIn'),
    Doctor: [
      ...logs('Doctor'),
      ...tracing,
      'dynamodb:GetItem on Subscriptions',
      'dynamodb:PutItem on Subscriptions',
      'dynamodb:UpdateItem on Subscriptions',
      'dynamodb:PutItem on SigningSecrets',
      'dynamodb:Query on History/index/by_subscription',
      'events:PutEvents on Bus',
      ...SECRETS_KEY,
    ].sort(),
    DoctorSchedule: [expect.stringContaining('lambda:InvokeFunction on ')],
  });
});

test('functions that may publish to the bus may publish operational events only, never a payment event', () => {
  const { pipeline, api } = synthesized('dev');
  const statements = [pipeline, api]
    .flatMap((template) => Object.values(template.findResources('AWS::IAM::Policy')))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('events:')));
  expect(statements).toHaveLength(3);
  for (const { Condition } of statements) {
    expect(Condition).toEqual({ 'ForAllValues:StringEquals': { 'events:source': 'payhooks' } });
  }
});

test('among tokens the api reaches portal sessions, and of a token whether it has ended', () => {
  const statements = Object.values(synthesized('dev').api.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles[0].Ref.startsWith('Api'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Resource }) => JSON.stringify(Resource).includes('ApiTokens'));
  const sessions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': '#portal#*' } };
  expect(statements.map(({ Action, Condition }) => [Action, Condition])).toEqual([
    [['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], sessions],
    ['dynamodb:Query', sessions],
    [
      'dynamodb:GetItem',
      {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': ['token_hash', 'revoked_at', 'expires_at_epoch_seconds'],
        },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    ],
  ]);
});

test('the authorizer counts requests and cannot change anything else of a token', () => {
  const statements = Object.values(synthesized('dev').api.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles[0].Ref.startsWith('Authorize'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  expect(statements).toContainEqual(
    expect.objectContaining({
      Action: 'dynamodb:UpdateItem',
      Condition: {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': ['token_hash', 'window_started_at', 'window_requests', 'last_used_at'],
        },
      },
    }),
  );
});

test('the api sees how far a payment is, and no resource of an event that waits', () => {
  const statements = Object.values(synthesized('dev').api.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles[0].Ref.startsWith('Api'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Resource }) => nameOf(Resource) === 'Sequences');
  expect(statements).toEqual([
    expect.objectContaining({
      Action: 'dynamodb:GetItem',
      Condition: {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': ['payment', 'item', 'next', 'recent', 'early', 'sent', 'format_version'],
        },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    }),
  ]);
});

test('writes of the api to the secrets table cannot return the previous item', () => {
  const statements = Object.values(synthesized('dev').api.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles[0].Ref.startsWith('Api'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  expect(statements).toContainEqual(
    expect.objectContaining({
      Action: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      Condition: { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } },
    }),
  );
});
