import { Match } from 'aws-cdk-lib/assertions';
import { SHARDS } from '../../lib/shards.ts';
import { matchesEventPattern } from '../support/event-pattern.ts';
import { synthesized } from '../support/synthesized.ts';

const { pipeline } = synthesized('dev');
const rules = Object.values(pipeline.findResources('AWS::Events::Rule')).map(({ Properties }) => Properties);

/** The message groups of the rules that an event with this detail matches. */
function groupsOf(detail: unknown): string[] {
  const event = JSON.parse(JSON.stringify({ source: 'payments', detail }));
  return rules
    .filter(({ EventPattern }) => matchesEventPattern(EventPattern, event))
    .map(({ Targets }) => Targets[0].SqsParameters.MessageGroupId);
}

describe('the rules of the bus', () => {
  test.each(['pay-0', 'PAY-9', 'abc_', 'abc-', 'x', 'ABCDEF', '0123456789abcdef'])(
    'take the events of payment %s to exactly one shard',
    (payment_id) => {
      expect(groupsOf({ payment_id })).toEqual([expect.stringMatching(/^shard-\d\d$/)]);
    },
  );

  test('know every character that a payment id may end with, each once', () => {
    const suffixes = SHARDS.flatMap((shard) => shard.suffixes);
    expect(suffixes.sort().join('')).toBe('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');
  });

  test.each([
    ['decimal', '0123456789', 10],
    ['hexadecimal', '0123456789abcdef', 16],
    ['upper-case hexadecimal', '0123456789ABCDEF', 16],
  ])('spread %s ids over as many shards as there are digits', (_, digits, shards) => {
    expect(new Set([...digits].flatMap((digit) => groupsOf({ payment_id: `pay${digit}` }))).size).toBe(
      shards,
    );
  });

  test.each([
    ['no payment id', {}],
    ['null', { payment_id: null }],
    ['an empty text', { payment_id: '' }],
    ['another alphabet', { payment_id: 'zahlung-ß' }],
    ['a space at the end', { payment_id: 'pay-1 ' }],
    ['a number', { payment_id: 42 }],
    ['true', { payment_id: true }],
    ['an object', { payment_id: { id: 'pay-1' } }],
    ['an empty object', { payment_id: {} }],
    ['an empty list', { payment_id: [] }],
    ['a list', { payment_id: ['pay-1'] }],
    ['a list of strange things', { payment_id: [null, 'ß', 1] }],
    ['a list in a list', { payment_id: [['pay-1']] }],
  ])('take an event with %s for a payment id somewhere', (_, detail) => {
    expect(groupsOf(detail).length).toBeGreaterThanOrEqual(1);
  });

  test('leave events of other sources alone', () => {
    const other = { source: 'payhooks', detail: { payment_id: 'pay-1' } };
    expect(rules.filter(({ EventPattern }) => matchesEventPattern(EventPattern, other))).toEqual([]);
  });

  test('hand the detail over, try for 24 hours, and keep what could not be handed over', () => {
    expect(rules).toHaveLength(17);
    for (const { Targets } of rules) {
      expect(Targets).toEqual([
        expect.objectContaining({
          InputPath: '$.detail',
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^RulesDeadLetters/), 'Arn'] } },
        }),
      ]);
    }
  });
});

describe('the queues', () => {
  test('keep everything for 14 days, encrypted, and refuse what is not TLS', () => {
    const queues = Object.values(pipeline.findResources('AWS::SQS::Queue')).map(
      ({ Properties }) => Properties,
    );
    expect(queues).toHaveLength(5);
    for (const queue of queues) {
      expect(queue).toMatchObject({ MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true });
    }
    pipeline.resourcePropertiesCountIs(
      'AWS::SQS::QueuePolicy',
      {
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          ]),
        },
      },
      5,
    );
  });

  test('hold the line for a hundred tries before a record counts as dead, in order', () => {
    pipeline.resourcePropertiesCountIs(
      'AWS::SQS::Queue',
      {
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
        RedrivePolicy: { maxReceiveCount: 100 },
      },
      2,
    );
  });

  test('stay invisible for longer than their worker may take', () => {
    const timeoutOf = (name: string) =>
      Object.values(pipeline.findResources('AWS::Lambda::Function')).find(
        ({ Properties }) => Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === name,
      )?.Properties.Timeout;
    expect({ match: timeoutOf('match'), deliver: timeoutOf('deliver') }).toEqual({ match: 30, deliver: 60 });
    const visibility = Object.values(pipeline.findResources('AWS::SQS::Queue'))
      .map(({ Properties }) => Properties.VisibilityTimeout)
      .filter((seconds) => seconds !== undefined);
    expect(visibility.sort()).toEqual([60, 90]);
  });
});

describe('the functions', () => {
  test('run on the runtime that was tested, on arm64', () => {
    const functions = Object.values(pipeline.findResources('AWS::Lambda::Function'));
    expect(functions).toHaveLength(2);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  test('deliver may feed itself: Lambda does not stop its rounds', () => {
    pipeline.hasResourceProperties('AWS::Lambda::Function', {
      RecursiveLoop: 'Allow',
      Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'deliver' } },
    });
  });

  test('report failures record by record, ten at a time', () => {
    pipeline.resourcePropertiesCountIs(
      'AWS::Lambda::EventSourceMapping',
      { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      2,
    );
  });

  test('have as many reserved workers as their mapping takes, where the account allows it', () => {
    const prod = synthesized('prod').pipeline;
    for (const [name, workers] of [
      ['match', 17],
      ['deliver', 500],
    ] as const) {
      prod.hasResourceProperties('AWS::Lambda::Function', {
        ReservedConcurrentExecutions: workers,
        Environment: { Variables: { POWERTOOLS_SERVICE_NAME: name } },
      });
      prod.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        ScalingConfig: { MaximumConcurrency: workers },
      });
    }
    pipeline.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      { ReservedConcurrentExecutions: Match.anyValue() },
      0,
    );
  });
});
