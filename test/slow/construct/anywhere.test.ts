import { Duration, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { Payhooks } from '../../../lib/payhooks.ts';
import { HERE, propertiesOf, shopWith, testApp } from '../../support/templates/synthesized.ts';

describe('anywhere', () => {
  type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;

  /** Properties that name a resource for everybody in the account, and types where they do. */
  const NAMES = [
    'Name',
    'AlarmName',
    'DashboardName',
    'ApplicationName',
    'DatabaseInput.Name',
    'Budget.BudgetName',
  ];
  const NAMED =
    /^AWS::(Events::EventBus|CloudWatch::|CodeDeploy::Application|Glue::Database|Budgets::|Athena::WorkGroup|Logs::QueryDefinition|Lambda::Function|DynamoDB::Table|IAM::Role|SQS::Queue|SNS::Topic|S3::Bucket)/;

  /** All names of resources that are not left to CloudFormation. */
  function namesIn(template: Template): string[] {
    return Object.values(template.toJSON().Resources as Resources)
      .filter(({ Type }) => NAMED.test(Type))
      .flatMap(({ Type, Properties = {} }) =>
        NAMES.map((name) =>
          name
            .split('.')
            .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], Properties),
        ).flatMap((name) => (typeof name === 'string' ? [`${Type} ${name}`] : [])),
      );
  }

  /** The namespaces that functions write metrics to, and alarms read. */
  function namespacesIn(template: Template): Set<string> {
    const ofFunctions = propertiesOf(template, 'Lambda::Function').map(
      ({ Environment }) => Environment.Variables.POWERTOOLS_METRICS_NAMESPACE,
    );
    const ofAlarms = JSON.stringify(propertiesOf(template, 'CloudWatch::Alarm')).matchAll(
      /"Namespace":"(Payhooks[^"]*)"/g,
    );
    const ofLogs = propertiesOf(template, 'Logs::MetricFilter').map(
      ({ MetricTransformations: [{ MetricNamespace }] }) => MetricNamespace,
    );
    return new Set([...ofFunctions, ...ofLogs, ...[...ofAlarms].map(([, namespace]) => namespace)]);
  }

  const rich = {
    archive: { retention: Duration.days(30) },
    budget: { monthlyUsd: 10, counts: 'account' },
    rollout: 'canary',
  } as const;

  test('all of it fits one stack, which gives nothing away and is named by nobody', () => {
    const template = shopWith(rich).template();
    expect(Object.keys(template.toJSON().Resources).length).toBeLessThan(330);
    expect(template.toJSON().Outputs).toBeUndefined();
    const names = namesIn(template);
    expect(names).toContain('AWS::Events::EventBus payhooks-ShopWebhooksF8AA1927');
    expect(names).toContain('AWS::Glue::Database payhooks_shopwebhooksf8aa1927');
    expect(names).toContain('AWS::CloudWatch::Alarm payhooks-ShopWebhooksF8AA1927-observability-events-lost');
    expect(names).toContain(
      'AWS::CloudWatch::Alarm payhooks-ShopWebhooksF8AA1927-pipeline-canary-messages-late',
    );
    expect(names).toContain('AWS::CloudWatch::Dashboard payhooks-ShopWebhooksF8AA1927');
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !/payhooks[-_]shopwebhooksf8aa1927/i.test(name))).toEqual([]);
  });

  test('a name of your own begins the names of all that needs one', () => {
    const names = namesIn(shopWith({ name: 'orders', ...rich }).template());
    expect(names).toContain('AWS::Events::EventBus payhooks-orders');
    expect(names.filter((name) => !/payhooks[-_]orders/.test(name))).toEqual([]);
  });

  test.each([
    ['the-orders-of-our-shop', 'the name the-orders-of-our-shop has 22 characters, of 20 at most'],
    ['our orders', 'the name "our orders" is unusable: give Payhooks a name of letters, digits and hyphens'],
    ['orders-', 'the name "orders-" is unusable'],
  ])('the name %j is refused', (name, message) => {
    expect(() => shopWith({ name })).toThrow(message);
  });

  describe('two of them never meet', () => {
    /** Everything that a template says about names, rules and metrics. */
    function seen(template: Template, begins: string) {
      const buses = propertiesOf(template, 'Events::Rule', begins).map(({ EventBusName }) =>
        JSON.stringify(EventBusName),
      );
      const senders = JSON.stringify(propertiesOf(template, 'SQS::QueuePolicy', begins));
      const tables = propertiesOf(template, 'Lambda::Function', begins).flatMap(({ Environment }) =>
        Object.entries(Environment.Variables)
          .filter(([name]) => /_(TABLE|URL|NAME)$/.test(name) && name !== 'POWERTOOLS_SERVICE_NAME')
          .map(([, value]) => JSON.stringify(value)),
      );
      return { buses: new Set(buses), senders, tables: new Set(tables) };
    }

    test('in one stack', () => {
      const { stack, template: whole } = shopWith();
      new Payhooks(stack, 'Others');
      const template = whole();
      const names = namesIn(template);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name.includes('EventBus'))).toEqual([
        'AWS::Events::EventBus payhooks-ShopWebhooksF8AA1927',
        'AWS::Events::EventBus payhooks-ShopOthers0417519B',
      ]);
      const [ours, theirs] = [seen(template, 'Webhooks'), seen(template, 'Others')];
      expect([...ours.buses]).toEqual(['{"Ref":"WebhooksPipelineBus973C22EB"}']);
      expect([...theirs.buses]).toEqual(['{"Ref":"OthersPipelineBus7164974B"}']);
      expect(ours.tables.size).toBeGreaterThan(10);
      expect([...ours.tables].filter((table) => !table.includes('"Webhooks'))).toEqual([]);
      expect([...theirs.tables].filter((table) => !table.includes('"Others'))).toEqual([]);
      expect(ours.senders).not.toContain('Others');
      expect([...namespacesIn(template)].sort()).toEqual([
        'Payhooks/ShopOthers0417519B',
        'Payhooks/ShopWebhooksF8AA1927',
      ]);
    });

    test('a third one is told where else its parts may go', () => {
      const { app, stack } = shopWith();
      new Payhooks(stack, 'Others');
      new Payhooks(stack, 'Third');
      expect(() => app.synth()).toThrow(
        /stack Shop has 7\d\d resources, of 500 at most: use scopes, which put parts of Payhooks into other stacks, such as new Payhooks\(stack, 'Third', \{ scopes: /,
      );
    });

    test('in stages of an app, which is synthesized whole', () => {
      class Everything extends Stage {
        readonly stack = new Stack(this, 'Shop');
        readonly webhooks = new Payhooks(this.stack, 'Webhooks', rich);
      }
      const app = testApp();
      const stages = ['Test', 'Live'].map((id) => new Everything(app, id));
      const [test, live] = stages.map(({ stack }) => namesIn(Template.fromStack(stack))) as [
        string[],
        string[],
      ];
      expect(test.length).toBe(live.length);
      expect(test.filter((name) => live.includes(name))).toEqual([]);
    });
  });

  describe('parts in other stacks', () => {
    test('keep data apart from code', () => {
      const app = testApp();
      const [data, code] = [new Stack(app, 'Tables'), new Stack(app, 'Code')];
      new Payhooks(code, 'Webhooks', { scopes: { data } });
      const [tables, rest] = [Template.fromStack(data), Template.fromStack(code)];
      tables.resourceCountIs('AWS::DynamoDB::Table', 9);
      tables.resourceCountIs('AWS::Lambda::Function', 0);
      rest.resourceCountIs('AWS::DynamoDB::Table', 0);
      rest.resourceCountIs('AWS::Lambda::Function', 14);
      expect(JSON.stringify(rest.toJSON())).toContain('"Fn::GetStackOutput"');
    });

    test('have a scope of their own each', () => {
      const app = testApp();
      const [data, code] = [new Stack(app, 'Tables'), new Stack(app, 'Code')];
      const { archive } = rich;
      expect(() => new Payhooks(code, 'Webhooks', { archive, scopes: { data, archive: data } })).toThrow(
        "scopes.archive: Tables holds another part already. Give each part a scope of its own: scopes: { archive: new Construct(stack, 'Archiving') }",
      );
      const scopes = { data: new Construct(data, 'Data'), archive: new Construct(data, 'Files') };
      new Payhooks(code, 'Others', { archive, scopes });
      Template.fromStack(data).resourceCountIs('AWS::DynamoDB::Table', 18);
    });
  });
});

describe('on emulator', () => {
  /** What the emulator does not know, whatever it is for. */
  const LACKING = [
    'AWS::Athena::NamedQuery',
    'AWS::Budgets::Budget',
    'AWS::CodeDeploy::Application',
    'AWS::EC2::NatGateway',
    'AWS::Events::EventBusPolicy',
    'AWS::Logs::QueryDefinition',
    'AWS::ApiGatewayV2::DomainName',
  ];

  test("with the context payhooks:local any app's Payhooks is one for the emulator", () => {
    const { webhooks, template: templateOf } = shopWith(
      (stack) => ({
        bus: EventBus.fromEventBusName(stack, 'Bus', 'orders'),
        encryptionKey: Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-west-1:111122223333:key/k'),
        domain: {
          domainName: 'hooks.example.com',
          certificate: Certificate.fromCertificateArn(
            stack,
            'Certificate',
            'arn:aws:acm:eu-west-1:111122223333:certificate/c',
          ),
        },
        fixedAddresses: { natGateways: 2 },
        budget: { monthlyUsd: 10, counts: 'account' },
        rollout: 'canary',
        concurrency: { reserved: true },
        keepsData: true,
        ownKeysEverywhere: true,
        doctorEvery: Duration.hours(1),
        callbackUrls: { liveDomains: ['example.com'] },
      }),
      // As the command line gives it.
      { env: HERE, context: { 'payhooks:local': 'true' } },
    );
    const template = templateOf();
    const types = Object.values(template.toJSON().Resources as Record<string, { Type: string }>).map(
      ({ Type }) => Type,
    );
    expect(types.filter((type) => LACKING.includes(type))).toEqual([]);
    template.hasResourceProperties('AWS::Events::EventBus', { Name: 'orders' });
    template.resourceCountIs('AWS::KMS::Key', 2);
    expect(webhooks.domainTarget).toBeUndefined();
    const [deliver] = propertiesOf(template, 'Lambda::Function', 'WebhooksPipelineDeliver');
    expect(deliver.ReservedConcurrentExecutions).toBeUndefined();
    expect(JSON.parse(deliver.Environment.Variables.CALLBACK_URL_RULES)).toEqual({
      allowLoopback: true,
      allowedPorts: [443],
      liveDomains: ['example.com'],
    });
    expect(JSON.parse(deliver.Environment.Variables.DELIVERY_POLICY).schedules.standard[0]).toBe(1_000);
    for (const { DeletionProtectionEnabled } of propertiesOf(template, 'DynamoDB::Table')) {
      expect(DeletionProtectionEnabled).not.toBe(true);
    }
  });
});
