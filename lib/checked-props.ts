import { Duration, Stack, Token } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import * as z from 'zod/mini';
import { testNetworkSchema } from '../functions/adapters/http/test-network.ts';
import { deliveryPolicySchema } from '../functions/core/attempt/delivery-policy.ts';
import { callbackUrlRulesSchema } from '../functions/core/subscription/callback-url.ts';
import type { PayhooksProps } from './payhooks-props.ts';
import { duration, faultsOf, flag, has, must } from './prop-checks.ts';
import { WORKER_SECONDS } from './worker-times.ts';

/** Source: "Maximum concurrency" of SQS event source mappings, AWS Lambda Developer Guide. */
const ofQueue = z.optional(z.int().check(z.minimum(2), z.maximum(1_000)));
const workers = z.optional(z.int().check(z.minimum(1), z.maximum(1_000)));

/** Source: "Amazon SQS message quotas", Amazon SQS Developer Guide. */
const MAX_VISIBILITY_SECONDS = 43_200;
/** A period of CloudWatch alarms. */
const [MINUTE, DAY] = [Duration.minutes(1), Duration.days(1)];

const may = (member: string, what: string) => z.optional(must(member, what));

const known = (isFine: (text: string) => boolean, message: string) =>
  z.string().check(z.refine((text) => Token.isUnresolved(text) || isFine(text), message));
const principals = z
  .array(
    known(
      (text) => /^arn:[^:]+:(iam|sts):/.test(text),
      'must be an ARN such as arn:aws:iam::111122223333:role/orders',
    ),
  )
  .check(z.minLength(1));

/** An ARN that is not known yet would be taken for an address. */
const recipient = z.optional(
  z.custom(
    (value) =>
      has('topicArn', value) ||
      (typeof value === 'string' && /^arn:[^:]+:sns:[^:]+:\d{12}:[^:]+$|^[^\s@]+@[^\s@]+$/.test(value)),
    'must be an e-mail address, a topic, or the ARN of one that exists, such as arn:aws:sns:REGION:111122223333:on-call',
  ),
);
const scope = z.optional(
  z.custom<Construct>(
    (value) => Construct.isConstruct(value) && value.node.scopes.some((one) => Stack.isStack(one)),
    'must be a Stack, or a Construct in one',
  ),
);
const policy = deliveryPolicySchema.shape;

const propsSchema = z.strictObject({
  name: z.optional(
    z.string().check(z.refine((text) => !Token.isUnresolved(text), 'must be known at synthesis')),
  ),
  scopes: z.optional(
    z.strictObject({
      ...{ data: scope, pipeline: scope, archive: scope, api: scope, loadLab: scope },
      ...{ observability: scope, people: scope },
    }),
  ),
  events: may('types', "an EventCatalogue, such as EventCatalogue.fromDirectory('events')"),
  validate: z.optional(z.enum(['off', 'mark', 'refuse'])),
  bus: may('eventBusName', "an event bus, such as EventBus.fromEventBusName(stack, 'Bus', 'orders')"),
  ...Object.fromEntries(
    ['encryptionKey', 'secretsEncryptionKey', 'logsEncryptionKey'].map((name) => [
      name,
      may('keyArn', "a key of KMS, such as Key.fromKeyArn(stack, 'Key', arn)"),
    ]),
  ),
  vpc: may('vpcId', "a VPC, such as Vpc.fromLookup(stack, 'Vpc', { vpcId })"),
  vpcSubnets: z.optional(z.looseObject({})),
  securityGroups: z.optional(z.array(may('securityGroupId', 'a security group')).check(z.minLength(1))),
  domain: z.optional(
    z.strictObject({
      domainName: known(
        (text) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text),
        'must be a DNS name in small letters, such as hooks.example.com',
      ),
      certificate: must(
        'certificateArn',
        "a certificate, such as Certificate.fromCertificateArn(stack, 'Certificate', arn)",
      ),
      hostedZone: may('hostedZoneId', 'a hosted zone'),
    }),
  ),
  alarmTopic: may('topicArn', "a topic, such as Topic.fromTopicArn(stack, 'Topic', arn)"),
  alarms: z.optional(z.strictObject({ urgent: recipient, routine: recipient })),
  permissionsBoundary: may(
    'managedPolicyArn',
    "a managed policy, such as ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', name)",
  ),
  tags: z.optional(
    z
      .record(z.string(), z.string())
      .check(
        z.refine(
          (tags) => !Object.keys(tags).some((name) => /^aws:/i.test(name)),
          'must have no name that begins with `aws:`',
        ),
      ),
  ),
  webAclArn: z.optional(z.string()),
  keepsData: flag,
  customerManagedKey: flag,
  ownKeysEverywhere: flag,
  keyAdministrators: z.optional(principals),
  logRetention: z.optional(
    z.literal(Object.values(RetentionDays).filter((value) => typeof value === 'number')),
  ),
  archive: z.optional(z.strictObject({ retention: duration(DAY, Duration.days(36_500), DAY) })),
  shards: z.optional(z.literal([16, 64])),
  concurrency: z.optional(
    z.strictObject({
      ...{ match: ofQueue, deliver: ofQueue, wake: ofQueue },
      ...{ sweep: workers, statistics: workers, syntheticReceiver: workers },
      reserved: flag,
    }),
  ),
  pollers: z.optional(
    z.strictObject({ eventsPerSecond: z.number(), webhooksPerSecond: z.optional(z.number()) }),
  ),
  // Source: "WarmThroughput", Amazon DynamoDB API Reference: no less than a new table takes.
  warmThroughput: z.optional(
    z.strictObject({
      writesPerSecond: z.int().check(z.minimum(4_000)),
      readsPerSecond: z.int().check(z.minimum(12_000)),
    }),
  ),
  visibilityFactor: z.optional(
    z
      .number()
      .check(z.positive(), z.maximum(MAX_VISIBILITY_SECONDS / Math.max(...Object.values(WORKER_SECONDS)))),
  ),
  callbackUrls: z.optional(callbackUrlRulesSchema),
  fixedAddresses: z.optional(z.strictObject({ natGateways: z.literal([1, 2]) })),
  deliveryPolicy: z.optional(
    z.strictObject({
      ...policy,
      schedules: z.strictObject(policy.schedules.shape),
      circuit: z.strictObject(policy.circuit.shape),
    }),
  ),
  attemptsPerDraw: z.optional(z.int().check(z.minimum(1))),
  // Source: "MaximumBatchingWindowInSeconds", AWS Lambda API Reference.
  statisticsWindow: z.optional(duration(Duration.seconds(0), Duration.minutes(5))),
  queuePublishers: z.optional(
    z.union([z.literal('account'), principals], "must be 'account', or a list of ARNs of roles"),
  ),
  notices: z.optional(z.strictObject({ sender: z.string() })),
  // The console says itself what is wrong.
  console: z.optional(z.unknown()),
  peopleConditions: z.optional(z.array(z.record(z.string(), z.unknown())).check(z.minLength(1))),
  tracing: flag,
  oldestRecordAlarm: z.optional(duration(Duration.seconds(1), Duration.days(14))),
  lateAlarm: z.optional(
    z.strictObject({
      single: duration(Duration.millis(1), DAY, Duration.millis(1)),
      average: duration(Duration.millis(1), DAY, Duration.millis(1)),
    }),
  ),
  acknowledgedAlarm: z.optional(z.number().check(z.positive(), z.lt(1))),
  budget: z.optional(
    z.strictObject({ monthlyUsd: z.number().check(z.positive()), counts: z.enum(['account', 'stage']) }),
  ),
  silence: z.optional(
    z.union(
      [
        z.literal('unusual'),
        z.strictObject({ atLeast: z.int().check(z.minimum(1)), within: duration(MINUTE, DAY, MINUTE) }),
      ],
      "must be 'unusual', or { atLeast, within }: a whole number of at least 1, and whole minutes, up to a day",
    ),
  ),
  rollout: z.optional(z.enum(['at once', 'canary'])),
  doctorEvery: z.optional(duration(MINUTE, DAY, MINUTE)),
  // Source: "MetricDatum" and "PutMetricData", Amazon CloudWatch API Reference.
  metricNamespace: z.optional(
    z.string().check(
      z.maxLength(255),
      z.refine(
        (text) => /^(?!AWS\/|:)[\w./#:-]+$/.test(text),
        'must consist of letters, digits and . - _ / # :, and not begin with AWS/',
      ),
    ),
  ),
  loadLab: flag,
  emulated: flag,
  testNetwork: z.optional(testNetworkSchema),
});

/** Props that change nothing without another, or say the opposite of it: who gave both meant something else. */
function contradictions(props: PayhooksProps, emulated: boolean): string[] {
  const { vpc, vpcSubnets, securityGroups, encryptionKey, secretsEncryptionKey, callbackUrls } = props;
  const problems: [boolean | undefined, string][] = [
    [vpc === undefined && vpcSubnets !== undefined, 'vpcSubnets needs vpc: give the VPC of the subnets too'],
    [
      vpc === undefined && securityGroups !== undefined,
      'securityGroups needs vpc: give the VPC of the groups too',
    ],
    [
      props.scopes?.archive !== undefined && props.archive === undefined,
      'scopes.archive needs archive, such as archive: { retention: Duration.days(400) }: its stack would be empty',
    ],
    [
      props.scopes?.loadLab !== undefined && props.loadLab !== true,
      'scopes.loadLab needs loadLab: true: its stack would be empty',
    ],
    [
      props.keyAdministrators !== undefined &&
        (encryptionKey !== undefined || props.customerManagedKey === false) &&
        secretsEncryptionKey !== undefined &&
        props.ownKeysEverywhere !== true,
      'keyAdministrators needs a key of our own: yours have the policies that you gave them. Leave it out',
    ],
    [
      encryptionKey !== undefined && props.customerManagedKey === false,
      'encryptionKey and customerManagedKey: false exclude each other: leave one out',
    ],
    [
      encryptionKey !== undefined && encryptionKey.keyArn === secretsEncryptionKey?.keyArn,
      'encryptionKey and secretsEncryptionKey must be two keys: who reads payments must not read secrets',
    ],
    [
      !emulated && callbackUrls?.allowLoopback,
      'callbackUrls.allowLoopback is for the emulator: on AWS, the loopback is that of our functions. Leave it out',
    ],
    [
      !emulated && props.testNetwork !== undefined,
      'testNetwork is for the emulator: on AWS, names and certificates are the real ones. Leave it out',
    ],
  ];
  return problems.flatMap(([applies, problem]) => (applies ? [problem] : []));
}

/**
 * Apps run without a type check (`node app.ts`), so a mistyped prop would be ignored, and a bad value would
 * fail the deployment, or the functions.
 *
 * @throws with everything that is wrong
 */
export function refuseFaulty(props: PayhooksProps, path: string, emulated: boolean): void {
  const faults = faultsOf(propsSchema, props);
  const problems = faults.length > 0 ? faults : contradictions(props, emulated);
  if (problems.length > 0) {
    throw new Error(`${path}: ${problems.join('; ')}`);
  }
}
