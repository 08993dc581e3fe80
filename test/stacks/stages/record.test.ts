import { App, Stage as CdkStage, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Construct } from 'constructs';
import { EXPECTED } from '../../../cli/operator/doctor/permissions/expected-permissions.ts';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import { deploymentSettings, recordPart } from '../../../lib/deployment-record.ts';
import { Payhooks } from '../../../lib/payhooks.ts';
import { readPart, readSettings } from '../../../lib/recorded-deployment.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, shopWith, synthesized, testApp } from '../../support/templates/synthesized.ts';

/** The longest values that CloudFormation puts in for a resource. */
const LONGEST: readonly (readonly [RegExp, string])[] = [
  [/^AWS::/, 'ap-northeast-1'],
  [
    /(Queue|DeadLetters)[0-9A-F]{8}$/,
    `https://sqs.ap-northeast-1.amazonaws.com/111122223333/${'q'.repeat(80)}`,
  ],
  // Functions, roles, buckets and APIs; the ARN of a role or topic has a name of 64 characters too.
  [/(Role|Alarms|Key)[0-9A-F]{8}$/, `arn:aws:iam::111122223333:role/${'r'.repeat(64)}`],
];

type Part = string | { readonly Ref: string } | { readonly 'Fn::GetAtt': readonly [string, string] } | object;

function filledIn(
  value: string | { 'Fn::Join': ['', readonly Part[]] },
  name: (id: string) => string,
): string {
  const parts = typeof value === 'string' ? [value] : value['Fn::Join'][1];
  return parts
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      const id = 'Ref' in part ? part.Ref : 'Fn::GetAtt' in part ? part['Fn::GetAtt'][0] : 'stack-id';
      return name(id);
    })
    .join('');
}

function recordsOf(templates: Readonly<Record<string, Template>>, name = (id: string) => id) {
  return Object.fromEntries(
    Object.values(templates)
      .flatMap((template) => propertiesOf(template, 'SSM::Parameter'))
      .map(({ Name, Value }) => [Name as string, filledIn(Value, name)]),
  );
}

test('each part records itself in its own stack, and the first says how all is set up', () => {
  const records = recordsOf(synthesized('prod'));
  expect(Object.keys(records).sort()).toEqual(
    ['api', 'archive', 'data', 'observability', 'people', 'pipeline', 'settings'].map(
      (piece) => `/payhooks/payhooks-prod/${piece}`,
    ),
  );
  const { settings, parts } = readSettings(records['/payhooks/payhooks-prod/settings'] as string);
  expect(settings).toEqual(deploymentSettings(STAGES.prod));
  expect(parts.api).toEqual({ stack: 'payhooks-prod-api', path: 'Api' });
  expect(readPart(records['/payhooks/payhooks-prod/archive'] as string)).toEqual({
    prefix: '',
    values: {
      ArchiveBucketName: expect.stringMatching(/^Bucket/),
      ArchiveDeadLettersUrl: expect.stringMatching(/^ChangesDeadLetters/),
      WorkGroupName: 'payhooks-prod',
      DatabaseName: 'payhooks_prod',
    },
    functions: {
      Archive: { name: expect.stringMatching(/^Archive/), role: expect.stringMatching(/^ArchiveRole/) },
    },
  });
});

test.each(['local', 'dev', 'prod'] as const)('whatever the stacks of %s tell is on record', (name) => {
  const templates = synthesized(name);
  const records = recordsOf(templates);
  for (const [part, template] of Object.entries(templates)) {
    const piece = part === 'loadLab' ? 'load-lab' : part;
    const { values } = readPart(records[`/payhooks/payhooks-${name}/${piece}`] as string);
    const outputs = Object.keys(template.findOutputs('*')).filter(
      (output) => !/^ExportsOutput|^PublishOutput/.test(output),
    );
    expect(Object.keys(values)).toEqual(expect.arrayContaining(outputs));
  }
});

test('the doctor finds every function and resource whose permissions it examines', () => {
  const records = recordsOf(synthesized({ ...STAGES.prod, notices: { sender: 'a@shop.example' } }));
  const part = (name: string) => readPart(records[`/payhooks/payhooks-prod/${name}`] as string);
  const values = { ...part('data').values, ...part('pipeline').values };
  for (const { part: of, role, on } of EXPECTED) {
    expect(Object.keys(part(of).functions)).toContain(role);
    expect(Object.keys(values)).toContain(on.split('/')[0]);
  }
});

test('a record fits a parameter that costs nothing, whatever the names', () => {
  const everything = {
    ...STAGES.prod,
    name: 'x'.repeat(20),
    metricNamespace: `Payhooks/${'x'.repeat(20)}`,
    queuePublishers: 'account' as const,
    fixedAddresses: { natGateways: 2 as const },
    pollers: { eventsPerSecond: 100, webhooksPerSecond: 100 },
    loadLab: true,
    notices: { sender: 'webhooks@shop.example' },
    deliveryPolicy: STAGES.local.deliveryPolicy,
  };
  const templates = Object.fromEntries(
    Object.entries<Stack>(addPayhooks(testApp(), everything)).map(([part, stack]) => [
      part,
      Template.fromStack(stack),
    ]),
  );
  const tables = new Set(Object.keys(templates.data?.findResources('AWS::DynamoDB::Table') ?? {}));
  const longest = (id: string) =>
    tables.has(id) ? 't'.repeat(255) : (LONGEST.find(([ids]) => ids.test(id))?.[1] ?? 'f'.repeat(64));
  const lengths = Object.values(recordsOf(templates, longest)).map(({ length }) => length);
  expect(lengths).toHaveLength(8);
  expect(Math.max(...lengths)).toBeLessThan(4_096);
});

test('a part deep in a stack of others knows how the logical ids of its own resources begin', () => {
  const stack = new Stack(new CdkStage(new App(), 'Prod'), 'Shop');
  const part = new Construct(new Construct(new Construct(stack, 'Orders'), 'web-hooks'), 'Api');
  recordPart(part, '/payhooks/orders/api', { ApiUrl: 'https://hooks.example/', Absent: undefined });
  const [{ Name, Value }] = propertiesOf(Template.fromStack(stack), 'SSM::Parameter');
  expect(Name).toBe('/payhooks/orders/api');
  expect(readPart(Value)).toEqual({
    prefix: 'OrderswebhooksApi',
    values: { ApiUrl: 'https://hooks.example/' },
    functions: {},
  });
});

test('in a stack of others each part knows its own resources, wherever it was put', () => {
  const here = shopWith({ name: 'orders' });
  const records = recordsOf({ Shop: here.template() });
  expect(readSettings(records['/payhooks/payhooks-orders/settings'] as string)).toMatchObject({
    settings: { name: 'orders', metricNamespace: 'Payhooks/orders' },
    parts: { api: { stack: 'Shop', path: 'Shop' }, people: { stack: 'Shop' } },
  });
  expect(readPart(records['/payhooks/payhooks-orders/api'] as string).prefix).toBe('WebhooksApis');

  const app = testApp();
  const [whole, shared] = [new Stack(app, 'Whole'), new Stack(app, 'Shared')];
  new Payhooks(new Stack(app, 'Rest'), 'Hooks', {
    name: 'refunds',
    scopes: { data: whole, pipeline: new Construct(shared, 'Sending') },
  });
  const templates = { whole: Template.fromStack(whole), shared: Template.fromStack(shared) };
  const elsewhere = recordsOf(templates);
  const prefixOf = (part: string) =>
    readPart(elsewhere[`/payhooks/payhooks-refunds/${part}`] as string).prefix;
  expect([prefixOf('data'), prefixOf('pipeline')]).toEqual(['', 'Sending']);
  for (const id of Object.keys(templates.shared.toJSON().Resources)) {
    expect(id).toMatch(/^Sending/);
  }
});

test('stacks with endless names are refused with what to do', () => {
  const far = new Construct(testApp(), 'S'.repeat(600));
  expect(() => addPayhooks(far as unknown as App, STAGES.dev)).toThrow(
    /^the record of payhooks-dev has \d+ characters, of 4096/,
  );
});
