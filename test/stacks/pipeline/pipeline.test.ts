import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { OPERATIONAL_SOURCE } from '../../../functions/adapters/eventbridge/operational-bus.ts';
import { parseDeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { operationalEventSchema } from '../../../functions/core/operational-events/operational-event.ts';
import { shardsOf } from '../../../lib/shards.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { matchesEventPattern } from '../../support/templates/event-pattern.ts';
import {
  actionsOf,
  propertiesOf,
  statementsOf,
  synthesized,
  WITHOUT_KEY,
} from '../../support/templates/synthesized.ts';

const { pipeline } = synthesized('dev');
const isOfPayments = ({ Description }: { readonly Description: string }) =>
  Description.startsWith('Payment events of');
const rules = propertiesOf(pipeline, 'Events::Rule').filter(isOfPayments);
const [unclaimed] = propertiesOf(pipeline, 'Events::Rule').filter((rule) => !isOfPayments(rule));

const functions = propertiesOf(pipeline, 'Lambda::Function');
const nameOf = ({ Environment }: (typeof functions)[number]): string =>
  Environment.Variables.POWERTOOLS_SERVICE_NAME;

/** A function, and the logical ids of the queues that it may send to. */
function queuesOf({ Properties }: { readonly [name: string]: (typeof functions)[number] }) {
  const grants = statementsOf(pipeline, Properties.Role['Fn::GetAtt'][0])
    .filter((statement) => actionsOf(statement).includes('sqs:SendMessage'))
    .flatMap(({ Resource }) => [Resource].flat() as (typeof functions)[number][]);
  return [nameOf(Properties), grants.map((queue) => queue['Fn::GetAtt']?.[0] as string)] as const;
}

/** One event of each type. */
const examples = path.join(import.meta.dirname, '../../../docs/examples/operational-events.jsonl');
const operationalEvents = readFileSync(examples, 'utf8')
  .trim()
  .split('\n')
  .map((line) => operationalEventSchema.parse(JSON.parse(line)));

/** The message groups of the rules that match an event with this detail. */
function groupsOf(detail: unknown, made = rules): string[] {
  const event = JSON.parse(JSON.stringify({ source: 'payments', detail }));
  return made
    .filter(({ EventPattern }) => matchesEventPattern(EventPattern, event))
    .map(({ Targets }) => Targets[0].SqsParameters.MessageGroupId);
}

describe('the rules of the bus', () => {
  test.each([
    ['dev', 16],
    ['prod', 64],
  ] as const)('of %s send a payment to one of %i shards, whatever its id ends in', (stage, count) => {
    const made = propertiesOf(synthesized(stage).pipeline, 'Events::Rule').filter(isOfPayments);
    const characters = [...'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'];
    const groups = characters.flatMap((character) => groupsOf({ payment_id: `pay${character}` }, made));
    expect(groups).toHaveLength(characters.length);
    expect(groups).not.toContain('rest');
    expect(new Set(groups).size).toBe(count);
  });

  test.each(Object.entries(STAGES))(
    '%s has one for each shard, which a worker of match can take',
    (_, stage) => {
      const template = synthesized(stage).pipeline;
      const made = propertiesOf(template, 'Events::Rule').filter(isOfPayments);
      const groups = made.map(({ Targets }) => Targets[0].SqsParameters.MessageGroupId);
      expect(groups).toEqual([...shardsOf(stage.shards).map(({ name }) => name), 'rest']);
      expect(stage.concurrency.match).toBe(groups.length);
      // The most that a bus takes; a team may have rules of its own.
      expect(groups.length).toBeLessThan(300);
    },
  );

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
    ['an empty string', { payment_id: '' }],
    ['another alphabet', { payment_id: 'zahlung-ß' }],
    ['a space at the end', { payment_id: 'pay-1 ' }],
    ['a number', { payment_id: 42 }],
    ['true', { payment_id: true }],
    ['an object', { payment_id: { id: 'pay-1' } }],
    ['an empty object', { payment_id: {} }],
    ['an empty list', { payment_id: [] }],
    ['a list', { payment_id: ['pay-1'] }],
    ['a list of odd values', { payment_id: [null, 'ß', 1] }],
    ['a list in a list', { payment_id: [['pay-1']] }],
  ])('send an event with %s as payment id somewhere', (_, detail) => {
    expect(groupsOf(detail).length).toBeGreaterThanOrEqual(1);
  });

  test('ignore events of other sources', () => {
    const other = { source: 'payhooks', detail: { payment_id: 'pay-1' } };
    expect(rules.filter(({ EventPattern }) => matchesEventPattern(EventPattern, other))).toEqual([]);
  });

  test.each(operationalEvents)('ignore operational events of Payhooks: $type', (detail: { type: string }) => {
    const event = { source: OPERATIONAL_SOURCE, 'detail-type': detail.type, detail };
    expect(rules.filter(({ EventPattern }) => matchesEventPattern(EventPattern, event))).toEqual([]);
    // Only the source excludes them: a rule would match any of their details.
    expect(groupsOf(detail)).toHaveLength(1);
  });

  test.each(['Payments', 'payments ', 'orders', 'payhooks.other', 'aws.s3'])(
    'leave an event of source %j to the one that keeps a trace of it, without its content',
    (source) => {
      const event = { source, detail: { payment_id: 'pay-1' } };
      expect(rules.filter(({ EventPattern }) => matchesEventPattern(EventPattern, event))).toEqual([]);
      expect(matchesEventPattern(unclaimed.EventPattern, event)).toBe(true);
      const { InputPathsMap } = unclaimed.Targets[0].InputTransformer;
      expect(Object.values(InputPathsMap).sort()).toEqual([
        '$.account',
        '$.detail-type',
        '$.id',
        '$.source',
        '$.time',
      ]);
    },
  );

  test.each(['payments', 'payhooks', 'payhooks.load'])('keep no trace of events of source %s', (source) => {
    expect(matchesEventPattern(unclaimed.EventPattern, { source, detail: {} })).toBe(false);
  });

  test('send to queues that admit them, and match nothing before they may', () => {
    const made = Object.entries(pipeline.findResources('AWS::Events::Rule'));
    const policies = Object.entries(pipeline.findResources('AWS::SQS::QueuePolicy')).filter(
      ([, { Properties }]) => JSON.stringify(Properties.PolicyDocument).includes('"RulesOfTheBus"'),
    );
    const sentTo = new Set<string>();
    for (const [name, { Properties, DependsOn }] of made) {
      const [{ Arn, DeadLetterConfig }] = Properties.Targets;
      for (const arn of [Arn, ...(name.startsWith('Unclaimed') ? [] : [DeadLetterConfig.Arn])]) {
        const queue = arn['Fn::GetAtt'][0];
        const [policy] = policies.find(([, one]) => one.Properties.Queues[0].Ref === queue) ?? [];
        expect(DependsOn).toContain(policy);
        sentTo.add(queue.replace(/[0-9A-F]{8}$/, ''));
      }
    }
    expect([...sentTo].sort()).toEqual(['EventsQueue', 'RulesDeadLetters', 'UnclaimedQueue']);
  });

  test('send the detail, retry for 24 hours, and dead-letter what they could not send', () => {
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
  test('keep records for 14 days, encrypted, and require TLS', () => {
    for (const [stage, withBodies] of [
      ['dev', { KmsMasterKeyId: expect.anything() }],
      [WITHOUT_KEY, { SqsManagedSseEnabled: true }],
    ] as const) {
      const queues = Object.entries(synthesized(stage).pipeline.findResources('AWS::SQS::Queue'));
      expect(queues).toHaveLength(9);
      for (const [name, { Properties }] of queues) {
        const encrypted = /^(Events|Deliveries)/.test(name) ? withBodies : { SqsManagedSseEnabled: true };
        expect(Properties).toMatchObject({ MessageRetentionPeriod: 1_209_600, ...encrypted });
      }
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
      9,
    );
  });

  test('retry a record a hundred times before it is dead-lettered, in order', () => {
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

  test('retry a timer ten times: by then sweep has sent another', () => {
    pipeline.hasResourceProperties('AWS::SQS::Queue', {
      FifoQueue: Match.absent(),
      VisibilityTimeout: 90,
      RedrivePolicy: { maxReceiveCount: 10 },
    });
  });

  test("have a visibility timeout of six times their worker's timeout, as AWS advises", () => {
    const timeoutOf = (name: string) => functions.find((one) => nameOf(one) === name).Timeout;
    expect(['match', 'deliver', 'wake', 'sweep'].map(timeoutOf)).toEqual([20, 60, 15, 60]);
    const visibility = propertiesOf(pipeline, 'SQS::Queue').flatMap(
      ({ VisibilityTimeout }) => VisibilityTimeout ?? [],
    );
    expect(visibility.sort()).toEqual([120, 360, 90]);
  });
});

describe('the functions', () => {
  test('run on the tested runtime, on arm64', () => {
    expect(functions).toHaveLength(5);
    for (const one of functions) {
      expect(one).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  test('may send to queues that invoke them again, directly or through others: Lambda does not stop these', () => {
    const sendsTo = new Map(Object.values(pipeline.findResources('AWS::Lambda::Function')).map(queuesOf));
    const invokedBy = new Map(
      propertiesOf(pipeline, 'Lambda::EventSourceMapping').map(({ EventSourceArn, FunctionName }) => [
        EventSourceArn['Fn::GetAtt']?.[0],
        /"(\w+)Live/.exec(JSON.stringify(FunctionName))?.[1]?.toLowerCase(),
      ]),
    );
    const feeds = (name: string) => (sendsTo.get(name) ?? []).flatMap((queue) => invokedBy.get(queue) ?? []);
    const reached = (names: readonly string[]): readonly string[] => {
      const all = [...new Set([...names, ...names.flatMap(feeds)])];
      return all.length === names.length ? all : reached(all);
    };
    const goRound = [...sendsTo.keys()].filter((name) => reached(feeds(name)).includes(name));
    expect(goRound.sort()).toEqual(['deliver', 'match', 'wake']);
    const looping = functions.filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    expect(looping.map(nameOf).sort()).toEqual(goRound);
  });

  test.each(['dev', 'local'] as const)(
    'get the delivery policy of %s if they retry or expire anything',
    (name) => {
      const policies = Object.values(synthesized(name))
        .flatMap((template) => propertiesOf(template, 'Lambda::Function'))
        .map(({ Environment }) => Environment.Variables)
        .filter(({ DELIVERY_POLICY }) => DELIVERY_POLICY !== undefined)
        .map((variables) => [
          variables.POWERTOOLS_SERVICE_NAME,
          parseDeliveryPolicy(variables.DELIVERY_POLICY),
        ]);
      const those = ['api', 'deliver', 'doctor', 'feed', 'match', 'stage-api', 'sweep', 'wake'];
      expect(Object.fromEntries(policies)).toEqual(
        Object.fromEntries(those.map((one) => [one, STAGES[name].deliveryPolicy])),
      );
    },
  );

  test('report failures record by record, ten at a time', () => {
    pipeline.resourcePropertiesCountIs(
      'AWS::Lambda::EventSourceMapping',
      { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      3,
    );
  });

  test('reserve as much concurrency as their mapping takes, where the account allows it', () => {
    const prod = synthesized('prod').pipeline;
    for (const [name, workers] of [
      ['match', 65],
      ['deliver', 500],
      ['wake', 100],
    ] as const) {
      prod.hasResourceProperties('AWS::Lambda::Function', {
        ReservedConcurrentExecutions: workers,
        Environment: { Variables: { POWERTOOLS_SERVICE_NAME: name } },
      });
      prod.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        ScalingConfig: { MaximumConcurrency: workers },
      });
    }
    prod.hasResourceProperties('AWS::Lambda::Function', {
      ReservedConcurrentExecutions: 1,
      Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'sweep' } },
    });
    pipeline.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      { ReservedConcurrentExecutions: Match.anyValue() },
      0,
    );
  });
});

describe('statistics', () => {
  test('receives each new or changed message, and nothing else in the history', () => {
    const { FilterCriteria } = propertiesOf(pipeline, 'Lambda::EventSourceMapping').find(
      ({ StartingPosition }) => StartingPosition !== undefined,
    );
    expect(FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: { state: { S: [{ exists: true }] } } } },
    ]);
  });

  test('dead-letters what it cannot count within the day for which DynamoDB keeps changes', () => {
    pipeline.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 2_000,
      MaximumBatchingWindowInSeconds: 30,
      MaximumRetryAttempts: 10,
      MaximumRecordAgeInSeconds: 12 * 3_600,
      DestinationConfig: {
        OnFailure: {
          Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('^OutcomesDeadLetters'), 'Arn'] },
        },
      },
    });
  });

  test('is told the shard of a batch: its mapping has a tumbling window, and what Lambda demands for one', () => {
    pipeline.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      TumblingWindowInSeconds: 900,
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: false,
    });
  });

  test('does not invoke itself, and has reserved concurrency where the account allows it', () => {
    synthesized('prod').pipeline.hasResourceProperties('AWS::Lambda::Function', {
      ReservedConcurrentExecutions: 50,
      Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'statistics' } },
    });
    pipeline.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'statistics' } },
      RecursiveLoop: Match.absent(),
    });
  });
});

describe('sweep', () => {
  test('runs every minute on the minute; a failed run is not retried', () => {
    pipeline.resourceCountIs('AWS::Scheduler::Schedule', 1);
    pipeline.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        Arn: { Ref: Match.stringLikeRegexp('^SweepLive') },
        RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
      },
    });
    pipeline.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^Sweep') },
      Qualifier: { 'Fn::Select': [7, { 'Fn::Split': [':', { Ref: Match.stringLikeRegexp('^SweepLive') }] }] },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  test('is started by a role that Scheduler may assume for this account only', () => {
    pipeline.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': Match.anyValue() } },
          }),
        ],
      },
    });
  });
});
