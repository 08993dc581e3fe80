/**
 * What a function's role may do, and what it must never. Resources by the name of their output; `/index/…`
 * follows that of a table.
 */
export interface Expected {
  readonly part: 'pipeline' | 'api';
  /** Beginning of the role's logical id. */
  readonly role: string;
  readonly on: string;
  readonly may?: readonly string[];
  readonly mayNot?: readonly string[];
}

const RECEIVE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];
const SEND = ['sqs:SendMessage'];
const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'dynamodb:Scan'];
const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];

const pipeline = (role: string, on: string, may: readonly string[], mayNot: readonly string[] = []) =>
  ({ part: 'pipeline', role, on, may, mayNot }) as const;
const api = (role: string, on: string, may: readonly string[], mayNot: readonly string[] = []) =>
  ({ part: 'api', role, on, may, mayNot }) as const;

/** What each needs so that messages go on, and what would let it read or forge what is not its own. */
export const EXPECTED: readonly Expected[] = [
  pipeline('MatchRole', 'EventsQueueUrl', RECEIVE),
  pipeline('MatchRole', 'DeliveriesQueueUrl', SEND, ['sqs:ReceiveMessage']),
  pipeline('MatchRole', 'EventsDeadLettersUrl', SEND),
  pipeline('MatchRole', 'RetryTimersUrl', SEND, ['sqs:ReceiveMessage']),
  pipeline(
    'MatchRole',
    'SubscriptionsTableName',
    ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'],
    ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
  ),
  pipeline(
    'MatchRole',
    'SequencesTableName',
    [
      'dynamodb:BatchGetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ],
    ['dynamodb:Scan'],
  ),
  pipeline('MatchRole', 'SigningSecretsTableName', [], [...READ, ...WRITE]),

  pipeline('DeliverRole', 'DeliveriesQueueUrl', [...RECEIVE, ...SEND]),
  pipeline('DeliverRole', 'RetryTimersUrl', SEND),
  pipeline('DeliverRole', 'SubscriptionsTableName', ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem']),
  pipeline('DeliverRole', 'SigningSecretsTableName', ['dynamodb:BatchGetItem'], WRITE),
  pipeline('DeliverRole', 'HistoryTableName', ['dynamodb:BatchGetItem', 'dynamodb:PutItem']),
  pipeline('DeliverRole', 'OrderingKeysTableName', [
    'dynamodb:BatchGetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
  ]),
  pipeline('DeliverRole', 'ApiTokensTableName', [], [...READ, ...WRITE]),
  pipeline('DeliverRole', 'SequencesTableName', [], [...READ, ...WRITE]),

  pipeline('WakeRole', 'RetryTimersUrl', [...RECEIVE, ...SEND]),
  pipeline('WakeRole', 'DeliveriesQueueUrl', SEND),
  pipeline('WakeRole', 'EventsQueueUrl', SEND, ['sqs:ReceiveMessage']),
  pipeline('WakeRole', 'SequencesTableName', [], [...READ, ...WRITE]),
  pipeline('WakeRole', 'SigningSecretsTableName', [], [...READ, ...WRITE]),

  pipeline('SweepRole', 'RetryTimersUrl', SEND),
  pipeline('SweepRole', 'OrderingKeysTableName/index/due', ['dynamodb:Query']),
  pipeline('SweepRole', 'SubscriptionsTableName/index/due', ['dynamodb:Query']),
  pipeline('SweepRole', 'SequencesTableName/index/due', ['dynamodb:Query']),
  pipeline(
    'SweepRole',
    'SequencesTableName',
    ['dynamodb:UpdateItem'],
    [...READ, 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
  ),
  pipeline('SweepRole', 'SigningSecretsTableName', [], [...READ, ...WRITE]),

  pipeline('StatisticsRole', 'StatisticsTableName', ['dynamodb:UpdateItem']),
  pipeline('StatisticsRole', 'HistoryTableName', [], READ),

  api('ApiRole', 'SubscriptionsTableName', ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem']),
  api('ApiRole', 'HistoryTableName', ['dynamodb:GetItem', 'dynamodb:Query'], WRITE),
  api('ApiRole', 'SigningSecretsTableName', WRITE, READ),
  // Which of its items: see `tokenAttributes`.
  api('ApiRole', 'ApiTokensTableName', ['dynamodb:GetItem'], ['dynamodb:Scan', 'dynamodb:DeleteItem']),
  api('ApiRole', 'AuditTableName', ['dynamodb:PutItem'], ['dynamodb:DeleteItem', 'dynamodb:UpdateItem']),

  api(
    'StageApiRole',
    'SubscriptionsTableName',
    ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    ['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:Scan'],
  ),
  api('StageApiRole', 'HistoryTableName', [], [...READ, ...WRITE]),
  api('StageApiRole', 'SigningSecretsTableName', [], [...READ, ...WRITE]),
  api('StageApiRole', 'DeliveriesQueueUrl', ['sqs:GetQueueAttributes'], ['sqs:ReceiveMessage', ...SEND]),
  api('OnCallLinkRole', 'SubscriptionsTableName', [], [...READ, ...WRITE]),

  api('AuthorizeRole', 'ApiTokensTableName', ['dynamodb:GetItem'], ['dynamodb:PutItem', 'dynamodb:Scan']),
  api('AuthorizeRole', 'SubscriptionsTableName', [], [...READ, ...WRITE]),

  api('SyntheticReceiverRole', 'HistoryTableName', [], [...READ, ...WRITE]),
  api('DoctorRole', 'SigningSecretsTableName', [], READ),
  api('DoctorRole', 'ApiTokensTableName', [], [...READ, ...WRITE]),
  api('DoctorRole', 'HistoryTableName', [], [...READ, ...WRITE]),
];
