import { names, ofType, type Resource } from '../ground.ts';
import type { Usage } from '../usage.ts';
import { MONTH_HOURS, MONTH_SECONDS } from '../usage.ts';
import { metricsWhileIdle } from './metrics-while-idle.ts';
import type { Standing } from './schedules.ts';
import { running, scheduledIn } from './schedules.ts';

/**
 * What a stage uses in a month in which nobody publishes anything, by what it is for. All of it is read from
 * the stage's templates: who takes away an alarm, a schedule or a function sees it here. What its synthetic
 * payments take on their way is not in it: they are deliveries like others.
 */
export function idling(standing: Standing): Readonly<Record<string, Usage>> {
  const count = (type: string) => ofType(standing.resources, type).length;
  return {
    alarms: alarms(standing),
    'our metrics': { metricMonth: metricsWhileIdle(standing).size },
    dashboards: { dashboardMonth: count('AWS::CloudWatch::Dashboard') },
    keys: { keyMonth: count('AWS::KMS::Key') },
    'use of keys': { keyRequest: keyRequests(standing) },
    'empty receives': emptyReceives(standing),
    pollers: { pollerHour: MONTH_HOURS * sum(mappings(standing).map(({ pollers }) => pollers)) },
    schedules: running(standing),
    'NAT gateways': {
      natHour: count('AWS::EC2::NatGateway') * MONTH_HOURS,
      addressHour: count('AWS::EC2::EIP') * MONTH_HOURS,
    },
  };
}

/** How many synthetic payments the stage makes in a month. */
export function syntheticPayments(standing: Standing): number {
  return sum(scheduledIn(standing).map(({ worker, runs }) => (worker.name === 'doctor' ? runs : 0)));
}

/**
 * An alarm costs by the metrics that it watches. One on a query costs by what the query finds, which is
 * nothing while all is well.
 */
function alarms({ resources }: Standing): Usage {
  const watched = ofType(resources, 'AWS::CloudWatch::Alarm').map(
    ({ properties: { Metrics = [{ MetricStat: {} }] } }) =>
      (Metrics as { readonly MetricStat?: object }[]).filter(({ MetricStat }) => MetricStat).length,
  );
  return {
    alarmMetricMonth: sum(watched),
    compositeAlarmMonth: ofType(resources, 'AWS::CloudWatch::CompositeAlarm').length,
  };
}

const DYNAMODB_ASKS_AFTER_SECONDS = 300;
/** SQS's own. */
const DEFAULT_REUSE_SECONDS = 300;

/**
 * DynamoDB asks KMS every five minutes for each role and table in use, SQS as often as its queue says:
 * docs/security.md. At most: a role that does nothing asks for nothing. Counting records asks for no key.
 */
function keyRequests({ resources }: Standing): number {
  const asked = (type: string, action: RegExp, secondsWith: (properties: Resource['properties']) => number) =>
    ofType(resources, type).map(
      (used) => (rolesUsing(used, action, resources) * MONTH_SECONDS) / secondsWith(used.properties),
    );
  return sum([
    ...asked('AWS::DynamoDB::Table', /dynamodb:/, ({ SSESpecification }) =>
      SSESpecification?.KMSMasterKeyId === undefined ? Number.POSITIVE_INFINITY : DYNAMODB_ASKS_AFTER_SECONDS,
    ),
    ...asked(
      'AWS::SQS::Queue',
      /sqs:(?!GetQueueAttributes)/,
      ({ KmsMasterKeyId, KmsDataKeyReusePeriodSeconds }) =>
        KmsMasterKeyId === undefined
          ? Number.POSITIVE_INFINITY
          : (KmsDataKeyReusePeriodSeconds ?? DEFAULT_REUSE_SECONDS),
    ),
  ]);
}

/** How many roles may do something with a resource. */
function rolesUsing(used: Resource, action: RegExp, resources: readonly Resource[]): number {
  return ofType(resources, 'AWS::IAM::Policy').filter(({ properties: { PolicyDocument } }) =>
    (PolicyDocument.Statement as { readonly Action: unknown; readonly Resource: unknown }[]).some(
      ({ Action, Resource: on }) => action.test(JSON.stringify(Action)) && names(on, used),
    ),
  ).length;
}

/**
 * Lambda waits at each queue with five pollers, 20 s at a time. Source: "Configuring scaling behavior for SQS
 * event source mappings", AWS Lambda Developer Guide. Of provisioned ones it says only that they poll as long.
 */
const POLLERS = 5;
const RECEIVES_PER_SECOND = 1 / 20;

function emptyReceives(standing: Standing): Usage {
  const queues = ofType(standing.resources, 'AWS::SQS::Queue');
  const read = mappings(standing).flatMap(({ source, pollers }) => {
    const queue = queues.find((one) => names(source, one));
    const receives = (pollers || POLLERS) * RECEIVES_PER_SECOND * MONTH_SECONDS;
    return queue === undefined ? [] : [{ isFifo: queue.properties.FifoQueue === true, receives }];
  });
  const of = (isFifo: boolean) =>
    sum(read.filter((one) => one.isFifo === isFifo).map(({ receives }) => receives));
  return { fifoRequest: of(true), standardRequest: of(false) };
}

/** What is read by Lambda, and by how many provisioned pollers at least. */
function mappings({ resources }: Standing) {
  return ofType(resources, 'AWS::Lambda::EventSourceMapping').map(({ properties }) => ({
    source: properties.EventSourceArn as unknown,
    pollers: Number(properties.ProvisionedPollerConfig?.MinimumPollers ?? 0),
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
