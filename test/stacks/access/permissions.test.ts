import type { Template } from 'aws-cdk-lib/assertions';
import {
  actionsOf,
  propertiesOf,
  type Statement,
  statementsOf,
  synthesized,
  WITHOUT_KEY,
} from '../../support/templates/synthesized.ts';

/**
 * All grants of the roles of a stack's functions as `action on resource`; resources by logical name, without
 * hashes.
 */
function grantsOf(template: Template): Record<string, string[]> {
  const grants: Record<string, string[]> = {};
  for (const { Roles, PolicyDocument } of propertiesOf(template, 'IAM::Policy')) {
    const role = Roles[0].Ref.replace(/Role[0-9A-F]{8}$/, '');
    grants[role] = PolicyDocument.Statement.flatMap((statement: Statement) =>
      actionsOf(statement).flatMap((action) =>
        [statement.Resource].flat().map((on) => `${action}${isDirect(statement, action)} on ${nameOf(on)}`),
      ),
    ).sort();
  }
  return grants;
}

/** Whether it may pass KMS a ciphertext itself, instead of through a service. */
function isDirect({ Condition }: Statement, action: string): string {
  const via = Condition?.StringEquals?.['kms:ViaService'];
  return action.startsWith('kms:') && via === undefined ? ' directly' : '';
}

function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  const imported = /PublishOutputFnGetAtt(\w+?)[0-9A-F]{8}Arn/.exec(text)?.[1];
  const own = /"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}","Arn"\]/.exec(text)?.[1];
  const live = /"Ref":"(\w+?)Live[0-9A-F]{8}"/.exec(text)?.[1];
  const stream = /PublishOutputFnGetAtt(\w+?)[0-9A-F]{8}StreamArn/.exec(text)?.[1];
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
      'sqs:SendMessage on EventsQueue',
      'sqs:SendMessage on RetryTimersQueue',
      'dynamodb:BatchGetItem on Subscriptions',
      'dynamodb:UpdateItem on Subscriptions',
      'dynamodb:PutItem on History',
      ...['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on Sequences`,
      ),
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
      ...['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on OrderingKeys`,
      ),
      'kms:Decrypt on SigningSecretsKey',
      'kms:Decrypt directly on SigningSecretsKey',
    ].sort(),
    Wake: [
      ...logs('Wake'),
      'events:PutEvents on Bus',
      ...reading('RetryTimersQueue'),
      'sqs:SendMessage on RetryTimersQueue',
      'sqs:SendMessage on DeliveriesQueue',
      'sqs:SendMessage on EventsQueue',
      'dynamodb:GetItem on Subscriptions',
      'dynamodb:PutItem on Subscriptions',
      'dynamodb:UpdateItem on Subscriptions',
      // A subscription that expires.
      'dynamodb:DeleteItem on SigningSecrets',
      'dynamodb:PutItem on Audit',
      'dynamodb:UpdateItem on OrderingKeys',
      'dynamodb:Query on OrderingKeys/index/backlog',
      'dynamodb:BatchGetItem on History',
      'dynamodb:Query on History/index/by_subscription',
      'dynamodb:Query on History/index/undelivered',
    ].sort(),
    Sweep: [
      ...logs('Sweep'),
      'sqs:SendMessage on RetryTimersQueue',
      'dynamodb:UpdateItem on Subscriptions',
      'dynamodb:UpdateItem on OrderingKeys',
      'dynamodb:UpdateItem on Sequences',
      'dynamodb:Query on Subscriptions/index/due',
      'dynamodb:Query on Sequences/index/due',
      ...['aging', 'backlog', 'due', 'stuck'].map((index) => `dynamodb:Query on OrderingKeys/index/${index}`),
    ].sort(),
    Statistics: [
      ...logs('Statistics'),
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
      ...reading('EmptyEventsQueue'),
      'sqs:SendMessage on EmptyRelayedQueue',
    ].sort(),
    EmptySink: [...logs('EmptySink'), ...reading('EmptyRelayedQueue')].sort(),
  });
});

test('the api creates, changes and deletes secrets but never reads one', () => {
  const { Doctor, DoctorSchedule, SyntheticReceiver, ...grants } = grantsOf(synthesized(WITHOUT_KEY).api);
  expect([Doctor, DoctorSchedule, SyntheticReceiver]).not.toContain(undefined);
  expect(grants).toEqual({
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
      'dynamodb:BatchGetItem on History',
      'dynamodb:Query on History',
      ...['by_subscription', 'undelivered'].map((index) => `dynamodb:Query on History/index/${index}`),
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
      'kms:GenerateDataKey directly on SigningSecretsKey',
    ].sort(),
    Authorize: [
      ...logs('Authorize'),
      'dynamodb:GetItem on ApiTokens',
      'dynamodb:UpdateItem on ApiTokens',
    ].sort(),
    DocsPage: logs('DocsPage'),
    Feed: [
      ...logs('Feed'),
      ...['History', 'SigningSecrets', 'Subscriptions'].map((table) => `dynamodb:BatchGetItem on ${table}`),
      ...['Query', 'UpdateItem'].map((action) => `dynamodb:${action} on OrderingKeys`),
      'dynamodb:Query on OrderingKeys/index/backlog',
      'dynamodb:UpdateItem on Subscriptions',
      'kms:Decrypt on SigningSecretsKey',
      'kms:Decrypt directly on SigningSecretsKey',
      'sqs:SendMessage on DeliveriesQueue',
    ].sort(),
    StageApi: [
      ...logs('StageApi'),
      'cloudwatch:GetMetricData on "*"',
      ...['by_subscription', 'undelivered'].map((index) => `dynamodb:Query on History/index/${index}`),
      'dynamodb:Query on History',
      ...['backlog', 'due', 'stuck'].map((index) => `dynamodb:Query on OrderingKeys/index/${index}`),
      'dynamodb:Query on Statistics',
      'dynamodb:Query on Subscriptions/index/due',
      ...['GetItem', 'Query', 'UpdateItem'].map((action) => `dynamodb:${action} on Subscriptions`),
      ...['GetItem', 'UpdateItem'].map((action) => `dynamodb:${action} on ApiTokens`),
      ...['PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on Audit`),
      'events:PutEvents on Bus',
      'sqs:SendMessage on RetryTimersQueue',
      ...['Events', 'Deliveries', 'RetryTimers'].flatMap((name) =>
        [`${name}Queue`, `${name}DeadLetters`].map((queue) => `sqs:GetQueueAttributes on ${queue}`),
      ),
      ...['Outcomes', 'Rules', 'Changes'].map((name) => `sqs:GetQueueAttributes on ${name}DeadLetters`),
      'sqs:GetQueueAttributes on UnclaimedQueue',
    ].sort(),
    OnCallLink: linking('OnCallLink'),
    AnalystLink: linking('AnalystLink'),
  });
});

/** It makes sessions and records that, and reads nothing else. */
function linking(name: string): string[] {
  return [
    ...logs(name),
    ...['GetItem', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on ApiTokens`),
    ...['PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on Audit`),
  ].sort();
}

test('only the functions that make links can make a session of the stage, and they make nothing else', () => {
  const statements = (role: string) =>
    Object.values(synthesized('dev').api.findResources('AWS::IAM::Policy'))
      .filter(({ Properties }) => Properties.Roles[0].Ref.startsWith(role))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Resource }) => /ApiTokens|Audit/.test(JSON.stringify(Resource)))
      .map(({ Action, Condition }) => [Action, Condition]);
  const sessions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': '#stage#*' } };
  const operators = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#operators' } };
  for (const role of ['OnCallLink', 'AnalystLink']) {
    expect(statements(role)).toEqual([
      [['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], sessions],
      [['dynamodb:PutItem', 'dynamodb:UpdateItem'], operators],
    ]);
  }
  expect(statements('StageApi')).toEqual([
    ['dynamodb:GetItem', sessions],
    [
      'dynamodb:UpdateItem',
      {
        ...sessions,
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': [
            'token_hash',
            ...['exchanged_at', 'secret_hash', 'revoked_at', 'link_expires_at_epoch_seconds'],
          ],
        },
      },
    ],
    // Of partners' trails it adds to, and of the operators' it also completes entries.
    ['dynamodb:PutItem', undefined],
    ['dynamodb:UpdateItem', operators],
  ]);
});

test('the feed changes leases and checks, when a subscription expires, and nothing else', () => {
  const statements = statementsOf(synthesized('dev').api, 'Feed').filter((statement) =>
    actionsOf(statement).includes('dynamodb:UpdateItem'),
  );
  expect(statements.map(({ Action, Condition }) => [Action, Condition])).toEqual([
    [
      'dynamodb:UpdateItem',
      {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': ['service_id', 'item', 'expires_at', 'check_at', 'state'],
        },
      },
    ],
    [
      'dynamodb:UpdateItem',
      {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': [
            ...['ordering_key', 'item', 'lease', 'failed_attempts', 'check_at', 'age_check_at', 'state'],
          ],
        },
      },
    ],
  ]);
});

test('the stage-api lists names, changes the health of a subscription, and nothing else of it', () => {
  const statements = statementsOf(synthesized('dev').api, 'StageApi').filter(
    (statement) =>
      nameOf(statement.Resource) === 'Subscriptions' && actionsOf(statement).join() !== 'dynamodb:GetItem',
  );
  expect(statements.map(({ Action, Condition }) => [Action, Condition])).toEqual([
    [
      'dynamodb:Query',
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['service_id', 'item'] },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    ],
    [
      'dynamodb:UpdateItem',
      {
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': [
            ...['service_id', 'item'],
            ...[
              'state',
              'disabled_reason',
              'disabled_at',
              'challenge_id',
              'circuit',
              'due_shard',
              'check_at',
              'timer',
            ],
          ],
        },
      },
    ],
  ]);
});

test('the doctor has the permissions for its one subscription, and its receiver has none', () => {
  expect(grantsOf(synthesized(WITHOUT_KEY).api)).toMatchObject({
    SyntheticReceiver: logs('SyntheticReceiver'),
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
      'kms:GenerateDataKey directly on SigningSecretsKey',
    ].sort(),
    DoctorSchedule: [expect.stringContaining('lambda:InvokeFunction on ')],
  });
});

test('functions that may publish to the bus may publish operational events only, never a payment event', () => {
  const { pipeline, api } = synthesized('dev');
  // The doctor's are in its own test.
  const statements = [statementsOf(pipeline), statementsOf(api, 'Api'), statementsOf(api, 'StageApi')]
    .flat()
    .filter((statement) => actionsOf(statement).some((action) => action.startsWith('events:')));
  expect(statements).toHaveLength(4);
  for (const { Condition } of statements) {
    expect(Condition).toEqual({ 'ForAllValues:StringEquals': { 'events:source': 'payhooks' } });
  }
});

test('among tokens the api reaches portal sessions, and of a token whether it has ended', () => {
  const statements = statementsOf(synthesized('dev').api, 'Api').filter(({ Resource }) =>
    JSON.stringify(Resource).includes('ApiTokens'),
  );
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
  const statements = statementsOf(synthesized('dev').api, 'Authorize');
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

test('match writes to a routing item which payments are stuck, and no route', () => {
  expect(statementsOf(synthesized('dev').pipeline, 'Match')).toContainEqual(
    expect.objectContaining({
      Action: 'dynamodb:UpdateItem',
      Condition: {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['service_id', 'item', 'stuck', 'version'] },
      },
    }),
  );
});

test('the api sees how far a payment is, and no resource of an event that waits', () => {
  const statements = statementsOf(synthesized('dev').api, 'Api').filter(
    ({ Resource }) => nameOf(Resource) === 'Sequences',
  );
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
  const statements = statementsOf(synthesized('dev').api, 'Api');
  expect(statements).toContainEqual(
    expect.objectContaining({
      Action: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      Condition: { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } },
    }),
  );
});
