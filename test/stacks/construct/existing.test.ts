import { type App, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Payhooks } from '../../../lib/payhooks.ts';
import type { PayhooksProps } from '../../../lib/payhooks-props.ts';
import { matchesEventPattern } from '../../support/templates/event-pattern.ts';
import { HERE, propertiesOf, shopWith, testApp } from '../../support/templates/synthesized.ts';

const IDS = { data: '1', secrets: '2', logs: '3' };
const uuid = (digit: string) => '00000000-0000-4000-8000-000000000000'.replaceAll('0', digit);
const key = (use: keyof typeof IDS, region = 'eu-west-1') =>
  `arn:aws:kms:${region}:111122223333:key/${uuid(IDS[use])}`;
const certificate = (region: string) => `arn:aws:acm:${region}:111122223333:certificate/${uuid('4')}`;

/** One deployment with everything that may exist already. */
const { stack, template: templateOf } = shopWith(
  (stack) => ({
    bus: EventBus.fromEventBusName(stack, 'Bus', 'orders'),
    encryptionKey: Key.fromKeyArn(stack, 'Key', key('data')),
    secretsEncryptionKey: Key.fromKeyArn(stack, 'SecretsKey', key('secrets')),
    logsEncryptionKey: Key.fromKeyArn(stack, 'LogsKey', key('logs')),
    vpc: Vpc.fromVpcAttributes(stack, 'Vpc', {
      vpcId: 'vpc-0123456789abcdef0',
      availabilityZones: ['eu-west-1a'],
      privateSubnetIds: ['subnet-0123456789abcdef0'],
    }),
    domain: {
      domainName: 'hooks.example.com',
      certificate: Certificate.fromCertificateArn(stack, 'Certificate', certificate('eu-west-1')),
      hostedZone: HostedZone.fromHostedZoneAttributes(stack, 'Zone', {
        hostedZoneId: 'Z0123456789ABCDEFGHIJ',
        zoneName: 'example.com',
      }),
    },
    alarmTopic: Topic.fromTopicArn(stack, 'Topic', 'arn:aws:sns:eu-west-1:111122223333:on-call'),
    alarms: { routine: 'team@example.com' },
    permissionsBoundary: ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'of-the-company'),
    tags: { 'cost-center': '4711' },
  }),
  { env: HERE },
);
const template = templateOf();

test('rules are on my bus, and no other is made', () => {
  template.resourceCountIs('AWS::Events::EventBus', 0);
  const buses = propertiesOf(template, 'Events::Rule').map(({ EventBusName }) => EventBusName);
  expect(buses).toHaveLength(18);
  expect(new Set(buses)).toEqual(new Set(['orders']));
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: Match.stringLikeRegexp('-events-lost$'),
    Metrics: [Match.objectLike({ Expression: Match.stringLikeRegexp("WHERE EventBusName = 'orders'$") })],
  });
});

test('my keys encrypt: one the data, another the secrets, a third the logs', () => {
  template.resourceCountIs('AWS::KMS::Key', 0);
  const keyOf = ({ SSESpecification }: { SSESpecification?: { KMSMasterKeyId: string } }) =>
    SSESpecification?.KMSMasterKeyId;
  const tables = propertiesOf(template, 'DynamoDB::Table').map(keyOf);
  expect(tables.filter((arn) => arn === key('data'))).toHaveLength(5);
  expect(tables.filter((arn) => arn === key('secrets'))).toHaveLength(1);
  const queues = propertiesOf(template, 'SQS::Queue').flatMap(({ KmsMasterKeyId }) => KmsMasterKeyId ?? []);
  expect(queues).toEqual(Array(4).fill(key('data')));
  const logs = propertiesOf(template, 'Logs::LogGroup').map(({ KmsKeyId }) => KmsKeyId);
  expect(new Set(logs)).toEqual(new Set([key('logs')]));
});

test('what an imported key must allow is said, because we cannot change its policy', () => {
  Annotations.fromStack(stack).hasWarning(
    '*',
    Match.stringLikeRegexp('policy of the imported key must have.*"Sid":"RulesOfThisAccount"'),
  );
});

test('webhooks leave from my network', () => {
  const { VpcConfig } = propertiesOf(template, 'Lambda::Function', 'WebhooksPipelineDeliver')[0];
  expect(VpcConfig.SubnetIds).toEqual(['subnet-0123456789abcdef0']);
  template.resourceCountIs('AWS::EC2::VPC', 0);
  template.hasResourceProperties('AWS::EC2::SecurityGroup', {
    VpcId: 'vpc-0123456789abcdef0',
    SecurityGroupEgress: [Match.objectLike({ CidrIp: '0.0.0.0/0', FromPort: 443, ToPort: 443 })],
  });
});

test('the API has my domain, and no other address', () => {
  template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
  template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
    DomainName: 'hooks.example.com',
    DomainNameConfigurations: [{ CertificateArn: certificate('eu-west-1'), EndpointType: 'REGIONAL' }],
  });
  template.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', { Stage: '$default' });
  template.hasResourceProperties('AWS::Route53::RecordSet', {
    Name: 'hooks.example.com.',
    Type: 'A',
    HostedZoneId: 'Z0123456789ABCDEFGHIJ',
  });
  const [doctor] = propertiesOf(template, 'Lambda::Function', 'WebhooksApisDoctor');
  expect(JSON.stringify(doctor.Environment.Variables.SYNTHETIC_RECEIVER_URL)).toContain(
    'https://hooks.example.com/doctor/',
  );
});

test('alarms go to my topic, unless they are for somebody else', () => {
  template.resourceCountIs('AWS::SNS::Topic', 1);
  const actions = propertiesOf(template, 'CloudWatch::Alarm').map(({ AlarmDescription, AlarmActions }) => ({
    isUrgent: AlarmDescription.startsWith('Urgent'),
    toMine: AlarmActions[0] === 'arn:aws:sns:eu-west-1:111122223333:on-call',
  }));
  expect(actions.filter(({ isUrgent, toMine }) => isUrgent !== toMine)).toEqual([]);
  template.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'team@example.com',
  });
});

test('roles have my boundary, and what is billed my tags', () => {
  const roles = propertiesOf(template, 'IAM::Role');
  expect(roles.length).toBeGreaterThan(15);
  for (const { PermissionsBoundary } of roles) {
    expect(JSON.stringify(PermissionsBoundary)).toContain('policy/of-the-company');
  }
  for (const { Tags } of propertiesOf(template, 'DynamoDB::Table')) {
    expect(Tags).toEqual([{ Key: 'cost-center', Value: '4711' }]);
  }
});

test('a domain without a zone works, and says which record to make', () => {
  const shop = shopWith(
    (stack) => ({
      domain: {
        domainName: 'hooks.example.com',
        certificate: Certificate.fromCertificateArn(stack, 'Certificate', certificate('eu-west-1')),
      },
    }),
    { env: HERE },
  );
  shop.template().resourceCountIs('AWS::Route53::RecordSet', 0);
  expect(shop.webhooks.apiUrl).toBe('https://hooks.example.com/');
  expect(shop.stack.resolve(shop.webhooks.domainTarget)).toEqual({
    'Fn::GetAtt': ['WebhooksApisDomain01281C53', 'RegionalDomainName'],
  });
  Annotations.fromStack(shop.stack).hasInfo(
    '*',
    Match.stringLikeRegexp("make a CNAME record from it to the construct's domainTarget"),
  );
});

test('other teams leave no trace on my bus, but a mistyped source of our events does', () => {
  const rules = propertiesOf(template, 'Events::Rule');
  const [{ EventPattern }] = rules.filter(({ Description }) => Description.startsWith('Traces of'));
  const ours = { service_id: 's-1', payment_id: 'pay-1', event_type: 'payment_captured', event_id: 'e-1' };
  const isTraced = (event: Parameters<typeof matchesEventPattern>[1]) =>
    matchesEventPattern(EventPattern, event);
  expect(isTraced({ source: 'payment', detail: ours })).toBe(true);
  expect(isTraced({ source: 'payments', detail: ours })).toBe(false);
  expect(isTraced({ source: 'orders', detail: { order_id: 'o-1', payment_id: 'pay-1' } })).toBe(false);
  expect(isTraced({ source: 'aws.ec2', detail: {} })).toBe(false);
});

test('of the bus of the account, neither the ARNs of rules nor their metrics have the name', () => {
  const template = shopWith((stack) => ({
    bus: EventBus.fromEventBusName(stack, 'Bus', 'default'),
  })).template();
  const allowed = propertiesOf(template, 'SQS::QueuePolicy')
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Sid }) => Sid === 'RulesOfTheBus');
  expect(allowed).toHaveLength(3);
  for (const { Condition } of allowed) {
    expect(Condition.ArnLike['aws:SourceArn']['Fn::Join'][1].at(-1)).toBe(':rule/*');
  }
  const [{ DashboardBody }] = propertiesOf(template, 'CloudWatch::Dashboard');
  const dashboard = JSON.stringify(DashboardBody);
  expect(dashboard).toContain('EventBridge, at most');
  expect(dashboard).not.toContain('EventBusName');
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: Match.stringLikeRegexp('-events-lost$'),
    Metrics: [
      Match.objectLike({ Expression: Match.stringLikeRegexp('FROM SCHEMA\\("AWS/Events", RuleName\\)$') }),
    ],
  });
});

test('two on one bus get every event each, by rules of their own', () => {
  const app = testApp();
  const shop = new Stack(app, 'Shop');
  const bus = new EventBus(shop, 'Bus');
  new Payhooks(shop, 'Webhooks', { bus });
  new Payhooks(shop, 'Others', { bus });
  const rules = Object.entries(Template.fromStack(shop).findResources('AWS::Events::Rule'));
  const targets = (begins: string) =>
    rules
      .filter(([id]) => id.startsWith(begins))
      .flatMap(([, { Properties }]) =>
        Properties.Targets.map(({ Arn }: { Arn: object }) => JSON.stringify(Arn)),
      );
  expect(new Set(rules.map(([, { Properties }]) => JSON.stringify(Properties.EventBusName)))).toEqual(
    new Set(['{"Ref":"BusEA82B648"}']),
  );
  expect(targets('Webhooks')).toHaveLength(18);
  expect(targets('Webhooks').filter((arn) => !arn.includes('"Webhooks'))).toEqual([]);
  expect(targets('Others').filter((arn) => !arn.includes('"Others'))).toEqual([]);
  expect(rules.flatMap(([, { Properties }]) => Properties.Name ?? [])).toEqual([]);
});

test('on the emulator, which is empty, a bus that exists is made once; that of the account is there', () => {
  const busesOf = (name: string) => {
    const { stack, template } = shopWith(
      (stack) => ({ bus: EventBus.fromEventBusName(stack, 'Bus', name) }),
      {
        context: { 'payhooks:local': true },
      },
    );
    new Payhooks(stack, 'Others', { bus: EventBus.fromEventBusName(stack, 'Again', name) });
    return propertiesOf(template(), 'Events::EventBus').map(({ Name }) => Name);
  };
  expect(busesOf('orders')).toEqual(['orders']);
  expect(busesOf('default')).toEqual([]);
});

test.each([{ name: 'orders' }, { metricNamespace: 'Shop/Hooks' }])(
  'two of one account and region share neither names nor metrics: %j',
  (props) => {
    const { app, stack } = shopWith(props, { env: HERE });
    const [prop = '', value] = Object.entries(props)[0] ?? [];
    const other = new Stack(app, 'Other', { env: HERE });
    expect(() => new Payhooks(other, 'Webhooks', props)).toThrow(
      `Other/Webhooks: ${prop} "${value}" is that of Shop/Webhooks too, in the same account and region: give each its own`,
    );
    const away = new Stack(app, 'Away', { env: { ...HERE, region: 'us-east-1' } });
    expect(() => new Payhooks(away, 'Webhooks', props)).not.toThrow();
    const unknown = new Stack(new Stage(app, 'Live'), 'Shop');
    expect(() => new Payhooks(unknown, 'Webhooks', props)).not.toThrow();
    expect(() => new Payhooks(stack, 'Others')).not.toThrow();
  },
);

describe('is refused', () => {
  const elsewhere: [string, (stack: Stack) => PayhooksProps, string][] = [
    [
      'a bus of another account',
      (stack) => ({
        bus: EventBus.fromEventBusArn(stack, 'Bus', 'arn:aws:events:eu-west-1:444455556666:event-bus/orders'),
      }),
      'the bus is in account 444455556666, but Shop goes to 111122223333: give Payhooks a bus of the same account and region',
    ],
    [
      'a bus of another region',
      (stack) => ({
        bus: EventBus.fromEventBusArn(stack, 'Bus', 'arn:aws:events:us-east-1:111122223333:event-bus/orders'),
      }),
      'the bus is in region us-east-1, but Shop goes to eu-west-1',
    ],
    [
      'a key of another region',
      (stack) => ({ encryptionKey: Key.fromKeyArn(stack, 'Key', key('data', 'us-east-1')) }),
      'the key is in region us-east-1, but Shop goes to eu-west-1',
    ],
    [
      'a certificate of another region',
      (stack) => ({
        domain: {
          domainName: 'hooks.example.com',
          certificate: Certificate.fromCertificateArn(stack, 'Certificate', certificate('us-east-1')),
        },
      }),
      'the certificate of hooks.example.com is in us-east-1, but the API is in eu-west-1: request one there',
    ],
    [
      'a VPC without egress',
      (stack) => ({ vpc: new Vpc(stack, 'Vpc', { natGateways: 0 }) }),
      'no webhook would leave the VPC Shop/Vpc: it has no private subnets with egress. Choose vpcSubnets with a route to a NAT gateway',
    ],
    [
      'isolated subnets',
      (stack) => ({
        vpc: new Vpc(stack, 'Vpc', { natGateways: 0 }),
        vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      }),
      'some of these subnets are isolated',
    ],
    [
      'public subnets',
      (stack) => ({ vpc: new Vpc(stack, 'Vpc'), vpcSubnets: { subnetType: SubnetType.PUBLIC } }),
      'functions in public subnets get no public address',
    ],
    [
      'a VPC beside fixed addresses',
      (stack) => ({ vpc: new Vpc(stack, 'Vpc'), fixedAddresses: { natGateways: 1 } }),
      'vpc and fixedAddresses exclude each other',
    ],
    [
      'a topic of another region',
      () => ({ alarms: { urgent: 'arn:aws:sns:us-east-1:444455556666:on-call' } }),
      'the topic of alarms is in region us-east-1, but Shop goes to eu-west-1',
    ],
    [
      'a key beside none',
      (stack) => ({ encryptionKey: new Key(stack, 'Key'), customerManagedKey: false }),
      'encryptionKey and customerManagedKey: false exclude each other',
    ],
    [
      'one key for payments and secrets',
      (stack) => {
        const encryptionKey = new Key(stack, 'Key');
        return { encryptionKey, secretsEncryptionKey: encryptionKey };
      },
      'encryptionKey and secretsEncryptionKey must be two keys',
    ],
    [
      'a part in another region',
      ({ node }) => ({ scopes: { data: new Stack(node.root as App, 'Tables') } }),
      'scopes.data: stack Tables goes to aws://unknown-account/unknown-region, but Shop to aws://111122223333/eu-west-1: give both stacks the same env',
    ],
    [
      'a web ACL',
      () => ({ webAclArn: 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/a/b' }),
      'AWS WAF protects no HTTP API: put a CloudFront distribution with the web ACL before apiUrl',
    ],
  ];
  test.each(elsewhere)('%s', (_, props, message) => {
    expect(() => shopWith(props, { env: HERE })).toThrow(message);
  });
});
