import { Match } from 'aws-cdk-lib/assertions';
import { SIGNED_IN } from '../../../lib/constructs/signed-in.ts';
import { SAVED_QUERIES } from '../../../lib/saved-queries.ts';
import {
  actionsOf,
  propertiesOf,
  type Statement,
  statementsOf,
  synthesized,
  WITHOUT_KEY,
} from '../../support/templates/synthesized.ts';

const stacks = synthesized('prod');
const people = stacks.people;

/** Allowed statements as `action on resource`, without hashes. */
function grantsOf(role: 'Analyst' | 'OnCall' | 'Operator' | 'Erasure'): string[] {
  return statementsOf(people, role)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap((statement) =>
      actionsOf(statement).flatMap((action) =>
        [statement.Resource].flat().map((on) => `${action} on ${nameOf(on)}`),
      ),
    )
    .sort();
}

function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  const imported = /PublishOutputFnGetAtt(\w+?)[0-9A-F]{8}/.exec(text)?.[1];
  const index = /"(\/index\/[^"]*)"/.exec(text)?.[1] ?? '';
  return imported === undefined
    ? text
        .replace(/",\{"Fn::GetStackOutput".*?OutputRef(\w+?)[0-9A-F]{16}"\}\},"/, '$1')
        .replace(/.*:(?=(stack|dashboard|lambda|parameter)\/|\/apis)/, '')
        .replace(/.*OutputRef(\w+?)[0-9A-F]{16}.*/, '$1')
        .replace(/"\]\]\}|"/g, '')
    : `${imported}${index}`;
}

const reading = (resource: string) =>
  ['Query', 'PartiQLSelect'].map((action) => `dynamodb:${action} on ${resource}`);
const described = (...tables: string[]) => tables.map((table) => `dynamodb:DescribeTable on ${table}`);
const logs = (...functions: string[]) =>
  functions.flatMap((name) =>
    ['FilterLogEvents', 'GetLogGroupFields', 'StartQuery'].map((action) => `logs:${action} on ${name}`),
  );

/** What the stage has recorded of itself, and no other parameter. */
const RECORD = ['settings', 'data', 'pipeline', 'archive', 'api', 'observability', 'people'].map(
  (piece) => `ssm:GetParameter on parameter/payhooks/payhooks-prod/${piece}`,
);

const OF_BOTH = [
  ...RECORD,
  ...['AlarmHistory', 'Alarms', 'AlarmsForMetric'].map((what) => `cloudwatch:Describe${what} on *`),
  ...['GetMetricData', 'GetMetricStatistics', 'ListDashboards', 'ListMetrics'].map(
    (action) => `cloudwatch:${action} on *`,
  ),
  'cloudwatch:GetDashboard on dashboard/payhooks-prod',
  'dynamodb:ListTables on *',
  ...['DescribeLogGroups', 'DescribeQueryDefinitions', 'GetLogRecord', 'GetQueryResults', 'StopQuery'].map(
    (action) => `logs:${action} on *`,
  ),
  ...described('History', 'OrderingKeys', 'Sequences', 'Statistics', 'Subscriptions'),
  ...reading('History/index/by_subscription'),
  ...['Query', 'Scan'].map((action) => `dynamodb:${action} on History/index/undelivered`),
  ...['GetItem', 'Query'].map((action) => `dynamodb:${action} on History`),
  ...['backlog', 'due', 'stuck'].flatMap((index) => reading(`OrderingKeys/index/${index}`)),
  ...reading('Subscriptions/index/due'),
  ...['GetItem', 'Query'].map((action) => `dynamodb:${action} on Subscriptions`),
  ...['due', 'stuck'].flatMap((index) => reading(`Sequences/index/${index}`)),
  ...reading('Statistics'),
  'dynamodb:GetItem on Statistics',
  'kms:Decrypt on DataKey',
  ...logs('MatchLogs', 'DeliverLogs', 'WakeLogs', 'SweepLogs', 'StatisticsLogs'),
];
const STACKS = ['api', 'archive', 'data', 'observability', 'people', 'pipeline'];
const QUEUES = [
  'UnclaimedQueue',
  ...['EventsQueue', 'EventsDeadLetters', 'DeliveriesQueue', 'DeliveriesDeadLetters'],
  ...['RetryTimersQueue', 'RetryTimersDeadLetters', 'OutcomesDeadLetters', 'RulesDeadLetters'],
  'ChangesDeadLetters',
];
const FUNCTIONS = [
  ...['Match', 'Deliver', 'Wake', 'Sweep', 'Statistics', 'Archive'],
  ...[
    'Api',
    'Authorize',
    'DocsPage',
    'Feed',
    'StageApi',
    'OnCallLink',
    'AnalystLink',
    'Doctor',
    'SyntheticReceiver',
  ],
];
const TABLES = [
  ...['Subscriptions', 'SigningSecrets', 'ApiTokens', 'History', 'Statistics', 'OrderingKeys', 'Sequences'],
  ...['Idempotency', 'Audit'],
];

test('an analyst has exactly the permissions that queries need', () => {
  expect([...new Set(grantsOf('Analyst'))]).toEqual(
    [...OF_BOTH, 'lambda:InvokeFunction on AnalystLink'].sort(),
  );
});

const OF_ON_CALL = [
  ...OF_BOTH,
  ...reading('OrderingKeys'),
  'dynamodb:Scan on Subscriptions',
  'dynamodb:GetItem on OrderingKeys',
  ...['GetItem', 'Query'].map((action) => `dynamodb:${action} on Sequences`),
  ...logs('ApiLogs', 'AuthorizeLogs', 'DocsPageLogs', 'FeedLogs', 'StageApiLogs'),
  ...logs('AccessLogs', 'DoctorLogs', 'ArchiveLogs'),
  ...QUEUES.flatMap((queue) => [`sqs:GetQueueAttributes on ${queue}`, `sqs:GetQueueUrl on ${queue}`]),
  ...FUNCTIONS.flatMap((name) =>
    ['GetAlias', 'GetFunctionConcurrency', 'GetFunctionConfiguration', 'GetFunctionRecursionConfig'].map(
      (action) => `lambda:${action} on ${name}`,
    ),
  ),
  // The settings that the doctor looks at.
  ...FUNCTIONS.map((name) => `iam:SimulatePrincipalPolicy on ${name}Role`),
  ...TABLES.flatMap((name) =>
    ['ContinuousBackups', 'TimeToLive'].map((what) => `dynamodb:Describe${what} on ${name}`),
  ),
  ...['UrgentAlarms', 'RoutineAlarms'].map((name) => `sns:ListSubscriptionsByTopic on ${name}`),
  ...['/apis', '/apis/HttpApi/stages'].map((what) => `apigateway:GET on ${what}`),
  ...['DescribeStacks', 'ListStackResources'].flatMap((action) =>
    STACKS.map((part) => `cloudformation:${action} on stack/payhooks-prod-${part}/*`),
  ),
  ...['lambda:GetAccountSettings', 'lambda:ListEventSourceMappings', 'lambda:ListFunctions'].map(
    (action) => `${action} on *`,
  ),
  ...['events:ListRules', 'scheduler:ListSchedules', 'sqs:ListQueues'].map((action) => `${action} on *`),
  'servicequotas:GetServiceQuota on lambda/L-B99A9384',
  'lambda:InvokeFunction on OnCallLink',
];
const TRAIL = ['PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on Audit`);
const WRITING_WITH_KEY = ['Decrypt', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map(
  (action) => `kms:${action} on DataKey`,
);

test('the person on call has exactly the permissions that runbooks need, and cannot change anything', () => {
  expect([...new Set(grantsOf('OnCall'))]).toEqual([...OF_ON_CALL].sort());
});

test('the operator has besides exactly what redrive, discard, stuck, circuits, stage-keys, audit and switching workers take', () => {
  const own = [...new Set(grantsOf('Operator'))].filter((grant) => !OF_ON_CALL.includes(grant));
  const acting = [
    'ReceiveMessage',
    'DeleteMessage',
    'ChangeMessageVisibility',
    'SendMessage',
    'StartMessageMoveTask',
  ];
  const mappings = own.filter((grant) => grant.includes('EventSourceMapping on'));
  // Of match, deliver, wake and statistics; each is named.
  expect(mappings).toHaveLength(2 * 4);
  expect(JSON.stringify(mappings)).not.toContain('*');
  expect(own.filter((grant) => !mappings.includes(grant))).toEqual(
    [
      ...['RulesDeadLetters', 'EventsDeadLetters', 'DeliveriesDeadLetters', 'RetryTimersDeadLetters'].flatMap(
        (queue) => acting.map((action) => `sqs:${action} on ${queue}`),
      ),
      ...['EventsQueue', 'DeliveriesQueue', 'RetryTimersQueue'].map((queue) => `sqs:SendMessage on ${queue}`),
      // Nothing goes back from these.
      ...['UnclaimedQueue', 'OutcomesDeadLetters', 'ChangesDeadLetters'].flatMap((queue) =>
        ['ReceiveMessage', 'DeleteMessage'].map((action) => `sqs:${action} on ${queue}`),
      ),
      'dynamodb:UpdateItem on Subscriptions',
      'events:PutEvents on Bus',
      ...[...TRAIL, 'dynamodb:Query on Audit'],
      ...WRITING_WITH_KEY.slice(1),
      // The stage's keys.
      ...['PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on SigningSecrets`),
      ...WRITING_WITH_KEY.map((grant) => grant.replace(/DataKey$/, 'SigningSecretsKey')),
    ].sort(),
  );
  expect(OF_ON_CALL).toEqual(
    expect.arrayContaining(['dynamodb:Query on OrderingKeys', 'sqs:GetQueueAttributes on RulesDeadLetters']),
  );
});

test('personal data takes a role that can do nothing else', () => {
  expect(grantsOf('Erasure')).toEqual(
    [
      ...['Query', 'GetItem', 'UpdateItem', 'ConditionCheckItem'].map(
        (action) => `dynamodb:${action} on History`,
      ),
      ...['Query', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action} on Sequences`),
      ...['RulesDeadLetters', 'EventsDeadLetters', 'DeliveriesDeadLetters'].map(
        (queue) => `sqs:GetQueueAttributes on ${queue}`,
      ),
      ...RECORD,
      ...TRAIL,
      ...WRITING_WITH_KEY,
    ].sort(),
  );
});

test('the operator changes the health of a subscription and the trail of operators, and nothing else of either', () => {
  const conditions = (action: string, table: string) =>
    statementsOf(people, 'Operator')
      .filter((statement) => actionsOf(statement).includes(action) && nameOf(statement.Resource) === table)
      .map(({ Condition }) => Condition);
  expect(conditions('dynamodb:UpdateItem', 'Subscriptions')).toEqual([
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
    { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#keys' } },
  ]);
  // The stage's keys: neither a secret of a subscription, nor what a write replaces.
  for (const action of ['dynamodb:PutItem', 'dynamodb:UpdateItem']) {
    expect(conditions(action, 'SigningSecrets')).toEqual([
      {
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#keys' },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
    ]);
  }
  expect(conditions('kms:GenerateDataKey', 'SigningSecretsKey')).toEqual([
    { StringEqualsIfExists: { 'kms:EncryptionContext:subscription_id': '#keys' } },
  ]);
  for (const action of ['dynamodb:UpdateItem', 'dynamodb:Query']) {
    expect(conditions(action, 'Audit')).toEqual([
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#operators' } },
    ]);
  }
  expect(conditions('events:PutEvents', 'Bus')).toEqual([
    { 'ForAllValues:StringEquals': { 'events:source': 'payhooks' } },
  ]);
});

test.each(['OnCall', 'Operator'] as const)('%s scans subscriptions for their event types only', (role) => {
  const scans = statementsOf(people, role).filter(
    (statement) =>
      actionsOf(statement).includes('dynamodb:Scan') && nameOf(statement.Resource) === 'Subscriptions',
  );
  expect(scans.map(({ Condition }) => Condition)).toEqual([
    {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['service_id', 'item', 'event_types', 'state'] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  ]);
});

test.each(['Analyst', 'OnCall'] as const)(
  '%s is denied PartiQL statements that scan a table or index',
  (role) => {
    const selecting = statementsOf(people, role).filter((statement) =>
      actionsOf(statement).includes('dynamodb:PartiQLSelect'),
    );
    const on = (effect: Statement['Effect']) =>
      selecting
        .filter(({ Effect }) => Effect === effect)
        .flatMap(({ Resource }) => [Resource].flat().map(nameOf))
        .sort();
    expect(on('Deny')).toEqual(on('Allow'));
    for (const { Condition } of selecting.filter(({ Effect }) => Effect === 'Deny')) {
      expect(Condition).toEqual({ Bool: { 'dynamodb:FullTableScan': 'true' } });
    }
  },
);

const OF_SUBSCRIPTIONS = [
  'Subscriptions',
  ['state', 'circuit'],
  ['callback_url', 'contact', 'description', 'custom_header_names', 'signing_secrets'],
] as const;

test.each([
  ['Analyst', ...OF_SUBSCRIPTIONS],
  ['OnCall', ...OF_SUBSCRIPTIONS],
  [
    'OnCall',
    'History',
    ['state', 'sequence', 'started_at'],
    ['body', 'resource', 'first_attempt', 'response_body', 'failure_reason'],
  ],
  ['OnCall', 'Sequences', ['next', 'early', 'explanation', 'order_number'], ['resource', 'body']],
] as const)(
  '%s sees of %s how endpoints and payments fare, and must name the attributes: nothing private is among them',
  (role, table, seen, hidden) => {
    const conditions = statementsOf(people, role)
      .filter(
        (statement) =>
          nameOf(statement.Resource) === table && !actionsOf(statement).includes('dynamodb:Scan'),
      )
      .flatMap(({ Condition }) => (Condition === undefined ? [] : [Condition]));
    expect(conditions).toEqual([
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': expect.arrayContaining(seen) },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    ]);
    for (const name of hidden) {
      expect(JSON.stringify(conditions)).not.toContain(`"${name}"`);
    }
  },
);

test.each(['Analyst', 'OnCall'] as const)('%s may use the stage key through DynamoDB only', (role) => {
  const uses = statementsOf(people, role).filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
  expect(uses).toHaveLength(1);
  expect(uses[0]).toMatchObject({
    Action: 'kms:Decrypt',
    Condition: { StringEquals: { 'kms:ViaService': expect.anything() } },
  });
  expect(JSON.stringify(uses[0]?.Condition)).toContain('dynamodb.');
});

test.each([
  ['Analyst', 8],
  ['OnCall', 12],
  ['Operator', 4],
  ['Erasure', 1],
])('%s can be assumed by principals of the account, for at most %d hours', (role, hours) => {
  const [properties] = propertiesOf(people, 'IAM::Role', role);
  expect(properties).toMatchObject({ MaxSessionDuration: hours * 3_600 });
  expect(JSON.stringify(properties.AssumeRolePolicyDocument)).toContain(':root');
  // Analysts also query the archive; the person on call does not need to.
  expect(JSON.stringify(properties.ManagedPolicyArns ?? []).match(/Asking/g) ?? []).toHaveLength(
    role === 'Analyst' ? 1 : 0,
  );
  expect(properties.ManagedPolicyArns ?? []).toHaveLength(role === 'Analyst' ? 1 : 0);
});

describe('a person who assumes a role of prod', () => {
  const ACCOUNT = '111122223333';
  const of = (resource: string) => `arn:aws:iam::${ACCOUNT}:${resource}`;
  const fromSso = { principal: of('role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Analyst_0a1b2c3d') };
  const fromRegionalSso = {
    principal: of('role/aws-reserved/sso.amazonaws.com/some-region/AWSReservedSSO_Analyst_0a1b2c3d'),
  };

  test.each([
    ['signed in through IAM Identity Center, whose sessions carry no MFA claim', fromSso, true],
    ['signed in through IAM Identity Center in another region', fromRegionalSso, true],
    ['is a user who signed in with MFA', { principal: of('user/ada'), mfa: 'true' }, true],
    ['is a user who signed in without MFA', { principal: of('user/ada'), mfa: 'false' }, false],
    ['is a user with access keys alone', { principal: of('user/ada') }, false],
    ['has assumed another role first', { principal: of('role/deployer') }, false],
    [
      "names a role of their own after Identity Center's",
      { principal: of('role/sso.amazonaws.com/x') },
      false,
    ],
  ])('and %s: %j, is admitted: %s', (_, { principal, mfa }: { principal: string; mfa?: string }, isLetIn) => {
    const context: Readonly<Record<string, string | undefined>> = {
      'aws:PrincipalArn': principal,
      'aws:MultiFactorAuthPresent': mfa,
    };
    for (const { AssumeRolePolicyDocument } of propertiesOf(people, 'IAM::Role')) {
      expect(isMet(AssumeRolePolicyDocument.Statement, context)).toBe(isLetIn);
    }
  });

  test('may have signed in either way: each is a statement of its own', () => {
    people.allResourcesProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({ Action: 'sts:AssumeRole', Condition: SIGNED_IN.byIdentityCenter }),
          Match.objectLike({ Action: 'sts:AssumeRole', Condition: SIGNED_IN.withMfa }),
        ],
      },
    });
  });
});

interface Trust {
  readonly Effect: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Whether one of these statements admits somebody, by IAM's rules for the two operators in use: an absent
 * condition key matches nothing, and `*` in an ARN does not match across a colon.
 */
function isMet(statements: readonly Trust[], context: Readonly<Record<string, string | undefined>>): boolean {
  const matches: Readonly<Record<string, (wanted: string, actual: string) => boolean>> = {
    Bool: (wanted, actual) => wanted === actual,
    ArnLike: (wanted, actual) => {
      const [pattern, arn] = [wanted.split(':'), actual.split(':')];
      return (
        pattern.length === arn.length &&
        pattern.every((part, index) =>
          new RegExp(`^${part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(
            arn[index] ?? '',
          ),
        )
      );
    },
  };
  return statements.some(
    ({ Effect, Condition = {} }) =>
      Effect === 'Allow' &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, wanted]) => {
          const actual = context[key];
          return actual !== undefined && matches[operator]?.(wanted, actual) === true;
        }),
      ),
  );
}

test('a stage without conditions or a key of its own requires neither', () => {
  const { people: dev } = synthesized(WITHOUT_KEY);
  expect(JSON.stringify(statementsOf(dev, 'Analyst'))).not.toContain('kms:');
  dev.allResourcesProperties('AWS::IAM::Role', {
    AssumeRolePolicyDocument: { Statement: [{ Action: 'sts:AssumeRole', Condition: Match.absent() }] },
  });
});

/**
 * Two functions were renamed after they were deployed. Their constructs keep their ids, because a new id
 * replaces the resource.
 */
const CONSTRUCTS: Readonly<Record<string, string>> = {
  statistics: 'Statistics',
  'docs-page': 'DocsPage',
  'stage-api': 'StageApi',
};

test("each log query is saved in the stage's folder, with the log groups that it reads", () => {
  const saved = propertiesOf(people, 'Logs::QueryDefinition');
  expect(saved.map(({ Name }) => Name).sort()).toEqual(
    SAVED_QUERIES.map(({ name }) => `payhooks-prod/${name}`).sort(),
  );
  for (const { name, text, logs: sources } of SAVED_QUERIES) {
    const { QueryString, LogGroupNames } = saved.find(({ Name }) => Name === `payhooks-prod/${name}`) ?? {};
    expect(QueryString.split('\n| ')).toEqual(text);
    expect(LogGroupNames.map((group: unknown) => /Ref(\w+?)Logs/.exec(JSON.stringify(group))?.[1])).toEqual(
      sources.map((source) => CONSTRUCTS[source] ?? `${source[0]?.toUpperCase()}${source.slice(1)}`),
    );
  }
});

test('on the emulator, which cannot save queries, there are only the roles', () => {
  const { people: local } = synthesized('local');
  local.resourceCountIs('AWS::Logs::QueryDefinition', 0);
  local.resourceCountIs('AWS::IAM::Role', 4);
});
