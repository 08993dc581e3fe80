/**
 * What a function's role may do, and what it must never. Resources by the name of their output; `/index/…`
 * follows that of a table.
 */
export interface Expected {
  readonly part: 'pipeline' | 'api';
  /** Of the function with this construct id. */
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

/** What each needs so that messages continue, and what would let it read or forge what is not its own. */
export const EXPECTED: readonly Expected[] = [
  pipeline('Match', 'EventsQueueUrl', RECEIVE),
  pipeline('Match', 'DeliveriesQueueUrl', SEND, ['sqs:ReceiveMessage']),
  pipeline('Match', 'EventsDeadLettersUrl', SEND),
  pipeline('Match', 'RetryTimersUrl', SEND, ['sqs:ReceiveMessage']),
  pipeline(
    'Match',
    'SubscriptionsTableName',
    ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'],
    ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
  ),
  pipeline(
    'Match',
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
  pipeline('Match', 'SigningSecretsTableName', [], [...READ, ...WRITE]),

  pipeline('Deliver', 'DeliveriesQueueUrl', [...RECEIVE, ...SEND]),
  pipeline('Deliver', 'RetryTimersUrl', SEND),
  pipeline('Deliver', 'SubscriptionsTableName', ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem']),
  pipeline('Deliver', 'SigningSecretsTableName', ['dynamodb:BatchGetItem'], WRITE),
  pipeline('Deliver', 'HistoryTableName', ['dynamodb:BatchGetItem', 'dynamodb:PutItem']),
  pipeline('Deliver', 'OrderingKeysTableName', [
    'dynamodb:BatchGetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
  ]),
  pipeline('Deliver', 'ApiTokensTableName', [], [...READ, ...WRITE]),
  pipeline('Deliver', 'SequencesTableName', [], [...READ, ...WRITE]),

  pipeline('Wake', 'RetryTimersUrl', [...RECEIVE, ...SEND]),
  pipeline('Wake', 'DeliveriesQueueUrl', SEND),
  pipeline('Wake', 'EventsQueueUrl', SEND, ['sqs:ReceiveMessage']),
  pipeline('Wake', 'SequencesTableName', [], [...READ, ...WRITE]),
  pipeline('Wake', 'HistoryTableName', ['dynamodb:BatchGetItem'], WRITE),
  // Of a subscription that expires, as a listener's does.
  pipeline(
    'Wake',
    'SigningSecretsTableName',
    ['dynamodb:DeleteItem'],
    [...READ, 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  ),

  pipeline('Sweep', 'RetryTimersUrl', SEND),
  pipeline('Sweep', 'OrderingKeysTableName/index/due', ['dynamodb:Query']),
  pipeline('Sweep', 'SubscriptionsTableName/index/due', ['dynamodb:Query']),
  pipeline('Sweep', 'SequencesTableName/index/due', ['dynamodb:Query']),
  pipeline(
    'Sweep',
    'SequencesTableName',
    ['dynamodb:UpdateItem'],
    [...READ, 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
  ),
  pipeline('Sweep', 'SigningSecretsTableName', [], [...READ, ...WRITE]),

  pipeline('Statistics', 'StatisticsTableName', ['dynamodb:UpdateItem']),
  pipeline('Statistics', 'HistoryTableName', [], READ),

  api('Api', 'SubscriptionsTableName', ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem']),
  api('Api', 'HistoryTableName', ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'], WRITE),
  api('Api', 'SigningSecretsTableName', WRITE, READ),
  // Which of its items: see `tokenAttributes`.
  api('Api', 'ApiTokensTableName', ['dynamodb:GetItem'], ['dynamodb:Scan', 'dynamodb:DeleteItem']),
  api('Api', 'AuditTableName', ['dynamodb:PutItem'], ['dynamodb:DeleteItem', 'dynamodb:UpdateItem']),

  api(
    'StageApi',
    'SubscriptionsTableName',
    ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    ['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:Scan'],
  ),
  api('StageApi', 'HistoryTableName', [], [...READ, ...WRITE]),
  api('StageApi', 'SigningSecretsTableName', [], [...READ, ...WRITE]),
  api('StageApi', 'DeliveriesQueueUrl', ['sqs:GetQueueAttributes'], ['sqs:ReceiveMessage', ...SEND]),
  api('OnCallLink', 'SubscriptionsTableName', [], [...READ, ...WRITE]),

  api('Authorize', 'ApiTokensTableName', ['dynamodb:GetItem'], ['dynamodb:PutItem', 'dynamodb:Scan']),
  api('Authorize', 'SubscriptionsTableName', [], [...READ, ...WRITE]),

  // Where the stage tells partners.
  api(
    'Notices',
    'SubscriptionsTableName',
    ['dynamodb:GetItem', 'dynamodb:Query'],
    ['dynamodb:Scan', 'dynamodb:BatchWriteItem'],
  ),
  api(
    'Notices',
    'SigningSecretsTableName',
    ['dynamodb:GetItem', 'dynamodb:PutItem'],
    [
      'dynamodb:Query',
      'dynamodb:Scan',
      'dynamodb:BatchGetItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ],
  ),
  api('Notices', 'HistoryTableName', [], [...READ, ...WRITE]),

  api('SyntheticReceiver', 'HistoryTableName', [], [...READ, ...WRITE]),
  api('Doctor', 'SigningSecretsTableName', [], READ),
  api('Doctor', 'ApiTokensTableName', [], [...READ, ...WRITE]),
  api('Doctor', 'HistoryTableName', [], [...READ, ...WRITE]),
];
