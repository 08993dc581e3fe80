import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, Aws, Duration, Stack, Token } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { PayhooksProps } from '../../../lib/payhooks-props.ts';
import { HERE, propertiesOf, shopWith } from '../../support/templates/synthesized.ts';

const MACHINE = 'arn:aws:iam::111122223333:role/deployer';
const PUBLISHER = 'arn:aws:iam::444455556666:role/orders';

/** None of the defaults. */
const props = {
  name: 'orders',
  validate: 'mark',
  keepsData: false,
  customerManagedKey: true,
  ownKeysEverywhere: true,
  keyAdministrators: [MACHINE],
  logRetention: RetentionDays.THREE_DAYS,
  archive: { retention: Duration.days(7) },
  shards: 64,
  concurrency: { deliver: 33, reserved: true },
  pollers: { eventsPerSecond: 1_000 },
  warmThroughput: { writesPerSecond: 5_000, readsPerSecond: 13_000 },
  visibilityFactor: 7,
  callbackUrls: { allowedPorts: [443, 8443] },
  fixedAddresses: { natGateways: 1 },
  deliveryPolicy: { ...DELIVERY_POLICY, retentionDays: 30 },
  attemptsPerDraw: 3,
  statisticsWindow: Duration.seconds(7),
  queuePublishers: [PUBLISHER],
  console: { product: 'Hooks of our shop' },
  peopleConditions: [{ Bool: { 'aws:MultiFactorAuthPresent': 'true' } }],
  tracing: false,
  oldestRecordAlarm: Duration.minutes(2),
  lateAlarm: { single: Duration.minutes(1), average: Duration.seconds(10) },
  acknowledgedAlarm: 0.8,
  alarms: { urgent: 'on-call@example.com' },
  budget: { monthlyUsd: 12, counts: 'stage' },
  silence: { atLeast: 3, within: Duration.hours(1) },
  rollout: 'canary',
  doctorEvery: Duration.minutes(10),
  notices: { sender: 'Shop <hooks@shop.example>' },
  metricNamespace: 'Shop/Hooks',
  loadLab: true,
  tags: { team: 'shop' },
} as const satisfies PayhooksProps;

const template = shopWith(props, { env: HERE }).template();
const ofFunction = (id: string) => propertiesOf(template, 'Lambda::Function', `Webhooks${id}`)[0];
const variablesOf = (id: string) => ofFunction(id).Environment.Variables;
const alarm = (name: string) =>
  propertiesOf(template, 'CloudWatch::Alarm').find(({ AlarmName }) =>
    String(AlarmName).endsWith(`-observability-${name}`),
  );

/** What each prop does to the template. */
const seen: { readonly [Name in keyof typeof props]: () => unknown } = {
  name: () => template.hasResourceProperties('AWS::Events::EventBus', { Name: 'payhooks-orders' }),
  validate: () => expect(variablesOf('PipelineMatch').VALIDATE).toBe('mark'),
  keepsData: () => template.allResources('AWS::DynamoDB::Table', { DeletionPolicy: 'Delete' }),
  customerManagedKey: () => template.resourceCountIs('AWS::KMS::Key', 3),
  ownKeysEverywhere: () =>
    template.hasResourceProperties('AWS::Events::EventBus', { KmsKeyIdentifier: Match.anyValue() }),
  keyAdministrators: () =>
    expect(JSON.stringify(propertiesOf(template, 'KMS::Key')).split(MACHINE)).toHaveLength(3 + 1),
  logRetention: () => template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 3 }),
  archive: () =>
    template.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: { Rules: Match.arrayWith([Match.objectLike({ ExpirationInDays: 7 })]) },
    }),
  // Of 64 shards, the rest, unclaimed events, the empty pipeline and notices.
  shards: () => template.resourceCountIs('AWS::Events::Rule', 64 + 4),
  concurrency: () => {
    expect(ofFunction('PipelineDeliver').ReservedConcurrentExecutions).toBe(33);
    expect(ofFunction('PipelineWake').ReservedConcurrentExecutions).toBe(10);
  },
  pollers: () =>
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ProvisionedPollerConfig: { MinimumPollers: 16, MaximumPollers: 16 },
    }),
  warmThroughput: () =>
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      WarmThroughput: { WriteUnitsPerSecond: 5_000, ReadUnitsPerSecond: 13_000 },
    }),
  visibilityFactor: () => template.hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout: 7 * 60 }),
  callbackUrls: () => {
    const rules = JSON.parse(variablesOf('PipelineDeliver').CALLBACK_URL_RULES);
    expect(rules).toEqual({ allowLoopback: false, allowedPorts: [443, 8443] });
  },
  fixedAddresses: () => template.resourceCountIs('AWS::EC2::EIP', 1),
  // What all endpoints may hold together follows from the workers.
  deliveryPolicy: () =>
    expect(JSON.parse(variablesOf('PipelineDeliver').DELIVERY_POLICY)).toMatchObject({
      retentionDays: 30,
      circuit: { slowOfAll: 17, widestWindowOfAll: 132 },
    }),
  attemptsPerDraw: () => expect(variablesOf('PipelineDeliver').ATTEMPTS_PER_DRAW).toBe('3'),
  statisticsWindow: () =>
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { MaximumBatchingWindowInSeconds: 7 }),
  queuePublishers: () =>
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: { Statement: [Match.objectLike({ Principal: { AWS: PUBLISHER } })] },
    }),
  // Its text is in the bundle: test/stacks/compute/console.test.ts.
  console: () => expect(ofFunction('ApisDocsPage')).toBeDefined(),
  peopleConditions: () =>
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [Match.objectLike({ Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } } })],
      },
    }),
  tracing: () => expect(ofFunction('ApisApi').TracingConfig).toBeUndefined(),
  oldestRecordAlarm: () => expect(alarm('oldest-due').Threshold).toBe(120),
  lateAlarm: () =>
    expect([alarm('message-late').Threshold, alarm('messages-late-on-average').Threshold]).toEqual([
      60_000, 10_000,
    ]),
  acknowledgedAlarm: () => expect(alarm('acknowledged-late').Threshold).toBe(80),
  alarms: () => template.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'on-call@example.com' }),
  budget: () =>
    template.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetName: 'payhooks-orders-monthly', BudgetLimit: { Amount: 12, Unit: 'USD' } },
    }),
  // And the doctor's six of an hour.
  silence: () => expect(alarm('events-missing').Threshold).toBe(3 + 6),
  rollout: () =>
    template.hasResourceProperties('AWS::CodeDeploy::Application', {
      ApplicationName: 'payhooks-orders-pipeline',
    }),
  doctorEvery: () =>
    template.hasResourceProperties('AWS::Scheduler::Schedule', { ScheduleExpression: 'rate(10 minutes)' }),
  notices: () => expect(variablesOf('ApisNotices').SENDER).toBe('Shop <hooks@shop.example>'),
  metricNamespace: () => {
    expect(variablesOf('PipelineDeliver').POWERTOOLS_METRICS_NAMESPACE).toBe('Shop/Hooks');
    expect(alarm('payments-stuck').Namespace).toBe('Shop/Hooks');
  },
  loadLab: () => expect(ofFunction('LoadLabReceiver')).toBeDefined(),
  tags: () => template.hasResourceProperties('AWS::SQS::Queue', { Tags: [{ Key: 'team', Value: 'shop' }] }),
};

test.each(Object.entries(seen))('%s', (_, assertion) => {
  assertion();
});

// Apps run by `node app.ts`, which checks no types.
test.each<[string, unknown]>([
  ['props has no alarmsTopic, only name, scopes,', { alarmsTopic: {} }],
  ['concurrency has no delivery, only match, deliver,', { concurrency: { delivery: 3 } }],
  ['scopes has no tables, only data,', { scopes: { tables: new Stack() } }],
  ['scopes.data must be a Stack, or a Construct in one', { scopes: { data: new App() } }],
  ['name must be known at synthesis: a token given', { name: Aws.STACK_NAME }],
  ['concurrency.deliver must be known at synthesis', { concurrency: { deliver: Token.asNumber({}) } }],
  ['concurrency.match must be at least 2: 0 given', { concurrency: { match: 0 } }],
  ['concurrency.sweep must be at least 1: 0 given', { concurrency: { sweep: 0 } }],
  ["events must be an EventCatalogue, such as EventCatalogue.fromDirectory('events')", { events: 'events' }],
  ['bus must be an event bus, such as EventBus.fromEventBusName', { bus: 'orders' }],
  ['shards must be one of 16, 64: 32 given', { shards: 32 }],
  ['rollout must be one of at once, canary: "Canary" given', { rollout: 'Canary' }],
  ['loadLab must be true or false, not a string: "false" given', { loadLab: 'false' }],
  ['attemptsPerDraw must be at least 1: 0 given', { attemptsPerDraw: 0 }],
  ['visibilityFactor must be a number: NaN given', { visibilityFactor: Number.NaN }],
  ['acknowledgedAlarm must be less than 1: 90 given', { acknowledgedAlarm: 90 }],
  [
    'callbackUrls has no ports, only allowedPorts, liveDomains, mustBeProven, allowLoopback',
    { callbackUrls: { ports: [8443] } },
  ],
  ['callbackUrls.allowLoopback is for the emulator', { callbackUrls: { allowLoopback: true } }],
  ['testNetwork is for the emulator', { testNetwork: { nameServers: ['127.0.0.1:53'], ca: '' } }],
  ['deliveryPolicy.schedules is missing', { deliveryPolicy: { retentionDays: 30 } }],
  ['deliveryPolicy has no retentionDay', { deliveryPolicy: { ...DELIVERY_POLICY, retentionDay: 30 } }],
  [
    'deliveryPolicy.retentionDays must be at least 1: -3 given',
    { deliveryPolicy: { ...DELIVERY_POLICY, retentionDays: -3 } },
  ],
  ['warmThroughput.readsPerSecond is missing', { warmThroughput: { writesPerSecond: 5_000 } }],
  [
    'archive.retention must be a Duration of 1 day to 36500 days, in whole days: 3 hours given',
    { archive: { retention: Duration.hours(3) } },
  ],
  ['doctorEvery must be a Duration of 1 minute to 1 day', { doctorEvery: Duration.seconds(90) }],
  ['statisticsWindow must be a Duration of 0 seconds to 5 minutes', { statisticsWindow: 30 }],
  ["silence must be 'unusual', or { atLeast, within }", { silence: 'never' }],
  ['budget.counts is missing', { budget: { monthlyUsd: 10 } }],
  ['alarms has no critical, only urgent, routine', { alarms: { critical: 'ops@example.com' } }],
  // That of a topic of the app, which would be taken for an address.
  ['alarms.urgent must be an e-mail address, a topic', { alarms: { urgent: Aws.STACK_ID } }],
  ['keyAdministrators.0 must be an ARN', { keyAdministrators: ['deployer'] }],
  ["queuePublishers must be 'account', or a list of ARNs", { queuePublishers: PUBLISHER }],
  ['tags must have no name that begins with `aws:`', { tags: { 'aws:team': 'shop' } }],
  ['metricNamespace must consist of letters', { metricNamespace: "Sh'op" }],
  ['vpcSubnets needs vpc', { vpcSubnets: {} }],
  ['scopes.archive needs archive', { scopes: { archive: new Stack() } }],
  ['scopes.loadLab needs loadLab: true', { scopes: { loadLab: new Stack() }, loadLab: false }],
  [
    'keyAdministrators needs a key of our own',
    { keyAdministrators: [MACHINE], customerManagedKey: false, secretsEncryptionKey: { keyArn: 'arn' } },
  ],
  ['securityGroups needs vpc', { securityGroups: [{ securityGroupId: 'sg-1' }] }],
])('wrong props are refused: %s', (message, wrong) => {
  expect(() => shopWith(wrong as PayhooksProps)).toThrow(`Shop/Webhooks: ${message}`);
});

test('what is undefined has its default', () => {
  const undefinedOnes = { concurrency: { deliver: undefined }, callbackUrls: { allowedPorts: undefined } };
  const { template: templateOf } = shopWith(undefinedOnes as unknown as PayhooksProps);
  const [{ Environment }] = propertiesOf(templateOf(), 'Lambda::Function', 'WebhooksPipelineDeliver');
  expect(JSON.parse(Environment.Variables.CALLBACK_URL_RULES).allowedPorts).toEqual([443]);
});

test('each prop is tried here, or in a test of its own', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const source = readFileSync(path.join(root, 'lib/payhooks-props.ts'), 'utf8');
  const [, body = ''] = /export interface PayhooksProps \{([\s\S]*?)\n\}/.exec(source) ?? [];
  const all = [...body.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name);
  expect(all.length).toBeGreaterThan(40);
  // existing.test.ts, anywhere.test.ts and on-emulator.test.ts; stages.test.ts has the network of a test.
  const elsewhere = [
    ...['bus', 'encryptionKey', 'secretsEncryptionKey', 'logsEncryptionKey', 'vpc', 'vpcSubnets'],
    ...['securityGroups', 'domain', 'alarmTopic', 'permissionsBoundary', 'webAclArn', 'scopes'],
    ...['emulated', 'testNetwork'],
    // catalogues.test.ts of the bundles.
    'events',
  ];
  expect(all.filter((name) => !(name in props) && !elsewhere.includes(name))).toEqual([]);
});
