import type { Resource } from '../../../../../../cli/operator/cost/ground.ts';
import { readMeasured } from '../../../../../../cli/operator/cost/measured/measured.ts';
import { idling, syntheticPayments } from '../../../../../../cli/operator/cost/parts/idle.ts';
import {
  WRITTEN_BY_SWEEP,
  WRITTEN_FOR_A_PAYMENT,
} from '../../../../../../cli/operator/cost/parts/metrics-while-idle.ts';
import { standingOf } from '../../../../../../cli/operator/cost/parts/schedules.ts';
import { deliverObserver } from '../../../../../../functions/pipeline/deliver/observe.ts';
import { observe as observeMatch } from '../../../../../../functions/pipeline/match/observe.ts';
import {
  measureObserver,
  observer as sweepObserver,
} from '../../../../../../functions/pipeline/sweep/observe.ts';
import { metrics } from '../../../../../../functions/telemetry/metrics.ts';
import { lambda, resource, scheduled } from '../stage.ts';

const of = (...resources: Resource[]) => standingOf(resources, readMeasured());
const idle = (...resources: Resource[]) => idling(of(...resources));

test('an alarm is paid for each metric that it watches, and one on a query for what that finds: nothing while all is well', () => {
  const parts = idle(
    resource('One', 'CloudWatch::Alarm', { MetricName: 'Errors' }),
    resource('Two', 'CloudWatch::Alarm', {
      Metrics: [{ MetricStat: {} }, { MetricStat: {} }, { Expression: 'a + b' }],
    }),
    resource('Query', 'CloudWatch::Alarm', { Metrics: [{ Expression: 'SELECT SUM(x) FROM y' }] }),
    resource('Any', 'CloudWatch::CompositeAlarm'),
  );
  expect(parts.alarms).toEqual({ alarmMetricMonth: 3, compositeAlarmMonth: 1 });
});

test('dashboards, keys and NAT gateways are paid by the piece', () => {
  const parts = idle(
    resource('Dashboard', 'CloudWatch::Dashboard'),
    resource('DataKey', 'KMS::Key'),
    resource('SecretsKey', 'KMS::Key'),
    resource('Gateway', 'EC2::NatGateway'),
    resource('Address', 'EC2::EIP'),
  );
  expect(parts).toMatchObject({
    dashboards: { dashboardMonth: 1 },
    keys: { keyMonth: 2 },
    'NAT gateways': { natHour: 730, addressHour: 730 },
  });
});

test('Lambda asks an empty queue fifteen times a minute, and a stream costs nothing', () => {
  const mapping = (id: string, source: string) =>
    resource(id, 'Lambda::EventSourceMapping', { EventSourceArn: { 'Fn::GetAtt': [source, 'Arn'] } });
  const parts = idle(
    resource('Events1', 'SQS::Queue', { FifoQueue: true }),
    resource('Timers1', 'SQS::Queue'),
    resource('Unread1', 'SQS::Queue', { FifoQueue: true }),
    mapping('Match', 'Events1'),
    mapping('Wake', 'Timers1'),
    mapping('Statistics', 'History1'),
  );
  expect(parts['empty receives']).toEqual({ fifoRequest: 657_000, standardRequest: 657_000 });
});

test('a role asks KMS for each table with a key of ours every five minutes, and for each queue as often as that says', () => {
  const policy = (id: string, action: string, name: string) =>
    resource(id, 'IAM::Policy', {
      Roles: [{ Ref: 'Role' }],
      PolicyDocument: {
        Statement: [{ Action: [action], Resource: { 'Fn::GetStackOutput': { OutputName: `${name}Arn77` } } }],
      },
    });
  const parts = idle(
    resource('History1', 'DynamoDB::Table', { SSESpecification: { KMSMasterKeyId: 'key' } }),
    resource('Keys1', 'DynamoDB::Table'),
    resource('Events1', 'SQS::Queue', { KmsMasterKeyId: 'key', KmsDataKeyReusePeriodSeconds: 3_600 }),
    policy('A', 'dynamodb:PutItem', 'History1'),
    policy('B', 'dynamodb:PutItem', 'Keys1'),
    policy('C', 'sqs:SendMessage', 'Events1'),
  );
  expect(parts['use of keys']).toEqual({ keyRequest: 730 * 12 + 730 });
});

test('a function that runs on request asks for no key while nobody asks it', () => {
  const using = (name: string, role: string) => {
    const { properties, ...of } = lambda(name);
    return { ...of, properties: { ...properties, Role: { 'Fn::GetAtt': [role, 'Arn'] } } };
  };
  const policy = (role: string) =>
    resource(`PolicyOf${role}`, 'IAM::Policy', {
      Roles: [{ Ref: role }],
      PolicyDocument: {
        Statement: [{ Action: ['dynamodb:Query'], Resource: { 'Fn::GetAtt': ['History1', 'Arn'] } }],
      },
    });
  const parts = idle(
    resource('History1', 'DynamoDB::Table', { SSESpecification: { KMSMasterKeyId: 'key' } }),
    ...[using('feed', 'FeedRole'), policy('FeedRole'), using('wake', 'WakeRole'), policy('WakeRole')],
  );
  expect(parts['use of keys']).toEqual({ keyRequest: 730 * 12 });
});

test('sweep runs each minute, is traced each time, and writes metrics that nobody else writes', () => {
  const standing = of(...scheduled(lambda('sweep', { tracing: 'Active' }), 'rate(1 minute)'));
  const parts = idling(standing);
  expect(parts.schedules).toMatchObject({ scheduledRun: 43_800, trace: 43_800 });
  expect(parts.schedules?.lambdaRequest).toBeCloseTo(43_800, 3);
  expect(parts['our metrics']).toEqual({ metricMonth: WRITTEN_BY_SWEEP.length });
  expect(syntheticPayments(standing)).toBe(0);
});

test('the doctor makes payments, and with them metrics of all that they pass', () => {
  const standing = of(
    ...scheduled(lambda('doctor'), 'rate(5 minutes)'),
    lambda('match'),
    lambda('deliver'),
    lambda('synthetic-receiver', { memory: 256 }),
  );
  expect(syntheticPayments(standing)).toBe(8_760);
  // Its own, and three of deliver.
  expect(idling(standing)['our metrics']).toEqual({ metricMonth: 4 });
  // 2 s of 512 MiB and 50 ms of 256 MiB.
  expect(idling(standing).schedules?.lambdaGbSecond).toBeCloseTo(8_760 * (1 + 0.0125), 3);
});

test('a schedule that is no rate, or runs nothing of ours, is told and not guessed', () => {
  expect(() => idle(...scheduled(lambda('sweep'), 'cron(0 10 * * ? *)'))).toThrow(
    'how often is cron(0 10 * * ? *)?',
  );
  const [, alias, schedule] = scheduled(lambda('sweep'), 'rate(1 minute)');
  expect(() => idle(alias!, schedule!)).toThrow('it is unknown what Sweep1A2BSchedule runs');
});

describe('the metrics of idleness are those that the functions write:', () => {
  afterEach(() => metrics.clearMetrics());

  const written = () => {
    const { _aws, ...rest } = metrics.serializeMetrics();
    return _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name)).filter(
      (name) => name in rest,
    );
  };

  test('sweep', () => {
    sweepObserver.swept({ found: 0, woken: 0, latestMs: 0, isComplete: true });
    measureObserver.measured({
      oldestDueMs: 0,
      oldestInBacklogMs: 0,
      waitingKeys: 0,
      stuckKeys: 0,
      openCircuits: 0,
      drainingCircuits: 0,
      messagesBehindCircuits: 0,
    });
    expect(written().sort()).toEqual([...WRITTEN_BY_SWEEP].sort());
  });

  test('match', () => {
    const event = {} as never;
    observeMatch({
      matched: [{ event, messageCount: 1 }],
      deadLettered: [],
      sequenced: [],
      stuck: [],
      setAside: [],
    });
    expect(written()).toEqual([]);
  });

  test('deliver', () => {
    deliverObserver(20, () => 0).tried({
      record: {
        state: 'succeeded',
        admitted_at: '2026-11-14T10:00:00.000Z',
        ended_at: '2026-11-14T10:00:00.220Z',
        time_to_send_ms: 20,
        message_id: 'msg_1',
        event_type: 'card_payment_captured',
      },
      attempt: { attempt: 1, duration_ms: 200, status_code: 200 },
      receiveCount: 1,
    } as never);
    expect(written().sort()).toEqual([...WRITTEN_FOR_A_PAYMENT.deliver].sort());
  });
});
