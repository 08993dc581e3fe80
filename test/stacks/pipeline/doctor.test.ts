import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { THROTTLE } from '../../../cli/operator/doctor/functions/throttle.ts';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { matchesEventPattern } from '../../support/templates/event-pattern.ts';
import {
  actionsOf,
  propertiesOf,
  statementsOf,
  synthesized,
  WITHOUT_KEY,
} from '../../support/templates/synthesized.ts';

describe('doctor', () => {
  const PAGE = readFileSync(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

  test.each([
    ['dev', 'rate(1 hour)'],
    ['prod', 'rate(5 minutes)'],
  ] as const)('on %s the doctor runs on a schedule: %s', (stage, rate) => {
    synthesized(stage).api.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: rate,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } },
    });
  });

  test('on the local stage it runs only on request: the URL of its receiver leads to AWS', () => {
    const { api, observability } = synthesized('local');
    expect(JSON.stringify(api.findResources('AWS::Scheduler::Schedule'))).not.toContain('Doctor');
    expect(propertiesOf(api, 'Lambda::Function', 'Doctor')).toHaveLength(1);
    expect(JSON.stringify(observability.toJSON())).not.toContain('doctor-failed');
  });

  test.each([
    ['dev', 3_600],
    ['prod', 300],
  ] as const)('on %s two failed or missing runs raise an alarm with a runbook', (stage, period) => {
    synthesized(stage).observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `payhooks-${stage}-observability-doctor-failed`,
      Namespace: 'Payhooks',
      MetricName: METRIC.doctorOk,
      Dimensions: [{ Name: 'service', Value: 'doctor' }],
      Statistic: 'Sum',
      Period: period,
      EvaluationPeriods: 2,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
    expect(PAGE).toContain('\n## doctor-failed\n');
  });

  /** The grants of the doctor's role besides logging, and their conditions. */
  function conditionsOf(stage: Stage) {
    return statementsOf(synthesized(stage).api, 'DoctorRole')
      .map((statement) => ({ ...statement, actions: actionsOf(statement).sort().join(' ') }))
      .filter(({ actions }) => !/^(logs|xray):/.test(actions))
      .map(({ actions, Condition }) => [actions, Condition]);
  }

  test("it may create one subscription, read its messages' state, and publish events that differ from a publisher’s", () => {
    const only = (key: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': key } });
    const own = 'sub_cGF5aG9va3MtZG9jdG9yIQ';
    expect(conditionsOf(WITHOUT_KEY)).toEqual([
      ['dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem', only('doctor-on-schedule')],
      ['dynamodb:PutItem', { ...only(own), StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } }],
      ['dynamodb:Query', only(own)],
      [
        'kms:Decrypt kms:Encrypt kms:GenerateDataKey kms:ReEncryptFrom kms:ReEncryptTo',
        {
          StringEquals: {
            'kms:ViaService': { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
          },
        },
      ],
      // It seals the secret of its subscription.
      ['kms:GenerateDataKey', undefined],
      [
        'events:PutEvents',
        {
          'ForAllValues:StringEquals': { 'events:source': 'payments', 'events:detail-type': 'doctor' },
        },
      ],
    ]);
  });

  test('its receiver is a route of the API that nobody can guess, and has no permissions', () => {
    const { api } = synthesized('prod');
    const path = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    const [route] = propertiesOf(api, 'ApiGatewayV2::Route').filter(({ RouteKey }) =>
      JSON.stringify(RouteKey).includes('/doctor/'),
    );
    expect(route).toMatchObject({
      RouteKey: { 'Fn::Join': ['', ['POST /doctor/', path]] },
      AuthorizationType: 'NONE',
    });
    const [{ Environment }] = propertiesOf(api, 'Lambda::Function', 'Doctor');
    expect(Environment.Variables.SYNTHETIC_RECEIVER_URL['Fn::Join'][1].slice(-2)).toEqual(['/doctor/', path]);
    const actions = statementsOf(api, 'SyntheticReceiverRole').flatMap(actionsOf);
    expect(actions.sort()).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });

  test.each(['prod', 'dev', 'local'] as const)(
    'on %s no function is public by itself but those of a load lab: an organisation may forbid it',
    (stage) => {
      const { loadLab: _, ...stacks } = synthesized(stage);
      const open = Object.entries(stacks).flatMap(([part, template]) => [
        ...propertiesOf(template, 'Lambda::Url').map(() => `${part} has a URL`),
        ...propertiesOf(template, 'Lambda::Permission')
          .filter(({ Principal }) => Principal === '*')
          .map(({ Action }) => `${part} lets everybody ${Action}`),
      ]);
      expect(open).toEqual([]);
    },
  );

  test('a flood of its receiver takes no workers from other functions', () => {
    synthesized('prod').api.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('doctor’s webhooks'),
      ReservedConcurrentExecutions: 5,
    });
  });

  test('the throttle that the doctor expects is the one that is deployed', () => {
    synthesized('prod').api.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: THROTTLE.rate, ThrottlingBurstLimit: THROTTLE.burst },
    });
  });
});

describe('load lab', () => {
  const EMPTY = { source: 'payhooks.load', 'detail-type': 'load.empty', detail: { run: 'r1', number: 1 } };

  /** Whether each rule matches it. */
  function matched(template: Template): boolean[] {
    return propertiesOf(template, 'Events::Rule').map(({ EventPattern }) =>
      matchesEventPattern(EventPattern, EMPTY),
    );
  }

  const SETTINGS = [
    'VisibilityTimeout',
    'DeduplicationScope',
    'FifoThroughputLimit',
    'ContentBasedDeduplication',
  ];

  /** The settings of queues and mappings that affect how long a record waits. */
  function waysOf(template: Template, functions: RegExp) {
    const queues = template.findResources('AWS::SQS::Queue');
    return propertiesOf(template, 'Lambda::EventSourceMapping')
      .filter(({ FunctionName }) => functions.test(JSON.stringify(FunctionName)))
      .map(({ EventSourceArn, BatchSize: batch, ScalingConfig: { MaximumConcurrency: concurrency } }) => {
        const queue = queues[EventSourceArn['Fn::GetAtt'][0]]?.Properties;
        return { batch, concurrency, ...Object.fromEntries(SETTINGS.map((name) => [name, queue[name]])) };
      })
      .sort((a, b) => a.concurrency - b.concurrency);
  }

  describe.each(['local', 'dev'] as const)('in %s', (stage) => {
    test('the empty pipeline has the queues and mappings of the real one', () => {
      const { loadLab, pipeline } = synthesized(stage);
      const empty = waysOf(loadLab, /Relay|Sink/);
      expect(empty).toHaveLength(2);
      expect(empty).toEqual(waysOf(pipeline, /Match|Deliver/));
    });

    test('an empty event takes the empty pipeline and no other', () => {
      const { loadLab, pipeline } = synthesized(stage);
      expect(matched(loadLab)).toEqual([true]);
      expect(matched(pipeline)).not.toContain(true);
    });
  });
});
