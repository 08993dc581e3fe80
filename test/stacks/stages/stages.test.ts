import { Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { stageNamed } from '../../../lib/app/stage-named.ts';
import { pinned, withWorkers } from '../../../lib/app/stage-options.ts';
import { testStage } from '../../../lib/app/test-stages.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, synthesized, testApp } from '../../support/templates/synthesized.ts';

test('an unknown stage is refused with the list of stages', () => {
  expect(() => stageNamed('live')).toThrow(
    'unknown stage "live": use -c stage=NAME with one of local, dev, prod',
  );
  expect(() => stageNamed(undefined)).toThrow('no stage given');
});

test('the local stage may have another number of workers, and no other stage may', () => {
  expect(withWorkers(STAGES.local, undefined)).toBe(STAGES.local);
  const with51 = withWorkers(STAGES.local, '51');
  expect(with51.concurrency).toEqual({ ...STAGES.local.concurrency, deliver: 51 });
  expect(with51.deliveryPolicy.circuit.slowOfAll).toBe(26);
  for (const [stage, wanted] of [
    [STAGES.dev, '150'],
    [STAGES.local, '1'],
    [STAGES.local, 'many'],
  ] as const) {
    expect(() => withWorkers(stage, wanted)).toThrow(
      `-c workers takes a whole number from 2 to 1000, for the local stage only. This is ${stage.name} with ${wanted}`,
    );
  }
});

test('prod is protected against termination and has no load lab', () => {
  const stacks = addPayhooks(testApp(), STAGES.prod);
  const unprotected = Object.values(stacks).filter(({ terminationProtection }) => !terminationProtection);
  expect(unprotected.map(({ stackName }) => stackName)).toEqual([]);
  expect(stacks.loadLab).toBeUndefined();
});

test.each(['local', 'dev', 'prod'] as const)(
  'no stack of %s exports what others import: a renamed table, or an older release, would be refused',
  (name) => {
    const templates = Object.values(synthesized(name)).map((template) => JSON.stringify(template.toJSON()));
    expect(templates.join()).toContain('"Fn::GetStackOutput"');
    expect(templates.filter((template) => /"Fn::ImportValue"|"Export"/.test(template))).toEqual([]);
  },
);

describe('a stage and the account of the credentials', () => {
  const nothing = { account: undefined, region: undefined };
  const env = { account: '111122223333', region: 'eu-central-1' };

  test.each([
    ['by itself', { ...STAGES.prod, env }, nothing],
    ['on the command line', STAGES.prod, env],
    ['in both places', { ...STAGES.prod, env }, env],
  ])('deploys to the account that it names %s', (_, stage, given) => {
    expect(pinned(stage, given, env.account).env).toEqual(env);
    expect(() => pinned(stage, given, '444455556666')).toThrow(
      'prod belongs to account 111122223333, but your credentials are for 444455556666: choose another AWS_PROFILE',
    );
  });

  test('a stage that names none is synthesized, and deployed nowhere', () => {
    expect(pinned(STAGES.dev, nothing, undefined)).toBe(STAGES.dev);
    expect(() => pinned(STAGES.dev, nothing, env.account)).toThrow(
      "dev has no account and region yet, and a wrong AWS_PROFILE would deploy a second one: set env: { account: '111122223333'",
    );
    expect(pinned(STAGES.local, nothing, env.account)).toBe(STAGES.local);
  });

  test.each([
    [{ ...nothing, account: env.account }, '-c account and -c region go together'],
    [{ ...nothing, region: env.region }, '-c account and -c region go together'],
    [{ ...env, account: 'prod' }, '-c account and -c region go together'],
    [{ ...env, region: 'eu-west-1' }, 'not to 111122223333 in eu-west-1'],
  ])('%j is refused', (given, message) => {
    expect(() => pinned({ ...STAGES.prod, env }, given, undefined)).toThrow(message);
  });
});

test('a name that is too long for the names of resources is refused', () => {
  const name = 'the-production-stage-of-europe' as Stage['name'];
  expect(() => addPayhooks(testApp(), { ...STAGES.dev, name })).toThrow('has 30 characters, of 20 at most');
});

/** Templates of a stage, with other context. */
function withContext(stage: Stage, context: Record<string, unknown>): Template[] {
  const app = testApp();
  for (const [key, value] of Object.entries(context)) {
    app.node.setContext(key, value);
  }
  return Object.values(addPayhooks(app, stage)).map((stack) => Template.fromStack(stack));
}

test("a stage's own tags are on what is billed, beside ours", () => {
  const [data] = withContext({ ...STAGES.dev, tags: { 'cost-center': '4711' } }, {}) as [Template];
  for (const { Tags } of propertiesOf(data, 'DynamoDB::Table')) {
    expect(Tags).toEqual([
      { Key: 'cost-center', Value: '4711' },
      { Key: 'project', Value: 'payhooks' },
      { Key: 'stage', Value: 'dev' },
    ]);
  }
});

describe('what has data or an address', () => {
  const TYPES = [
    ...['DynamoDB::Table', 'KMS::Key', 'S3::Bucket'],
    // When its first deployment fails, nobody has to look after what is empty.
    ...['Logs::LogGroup', 'SQS::Queue', 'EC2::EIP'],
  ];
  /** The policies of each type, each once: on deletion, and on replacement. */
  function policiesOn(name: 'prod' | 'dev') {
    const stage = { ...STAGES[name], fixedAddresses: { natGateways: 2 } } as const;
    const resources = Object.values(synthesized(stage)).flatMap((template) =>
      Object.values(template.toJSON().Resources as Record<string, Kept>),
    );
    return TYPES.map((type) => {
      const policies = resources
        .filter(({ Type }) => Type === `AWS::${type}`)
        .map(({ DeletionPolicy, UpdateReplacePolicy }) => `${DeletionPolicy}, ${UpdateReplacePolicy}`);
      return [...new Set(policies)].join('; ');
    });
  }

  test('stays on prod, whatever becomes of its construct', () => {
    expect(policiesOn('prod')).toEqual([
      ...Array(3).fill('Retain, Retain'),
      ...Array(3).fill('RetainExceptOnCreate, Retain'),
    ]);
  });

  test('goes on dev', () => {
    expect(policiesOn('dev')).toEqual(Array(6).fill('Delete, Delete'));
  });
});

test.each([
  ['prod', 180],
  ['dev', 30],
] as const)(
  'on %s each function logs to a group of its stack, and each group keeps %d days',
  (name, days) => {
    const stage = { ...STAGES[name], fixedAddresses: { natGateways: 2 } } as const;
    for (const template of Object.values(synthesized(stage))) {
      const groups = template.findResources('AWS::Logs::LogGroup');
      for (const { LoggingConfig } of propertiesOf(template, 'Lambda::Function')) {
        expect(Object.keys(groups)).toContain(LoggingConfig?.LogGroup?.Ref);
      }
      for (const { Properties } of Object.values(groups)) {
        expect(Properties.RetentionInDays).toBe(days);
      }
    }
  },
);

interface Kept {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

describe('the network of a test', () => {
  const network = { nameServers: ['127.0.0.1:5300'], ca: 'of the test' };

  test.each(['dev', 'prod', 'local'] as const)('is impossible on %s', (name) => {
    const everything = Object.values(synthesized(name)).map((template) => JSON.stringify(template.toJSON()));
    expect(everything.filter((template) => template.includes('TEST_NETWORK'))).toEqual([]);
  });

  test('is what strict is deployed with, under the address rules of AWS', () => {
    const stage = testStage('local', JSON.stringify({ ...network, allowedPorts: [443, 8443] }))!;
    const { api, pipeline } = addPayhooks(testApp(), stage);
    for (const stack of [api, pipeline]) {
      Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Function', {
        Environment: {
          Variables: {
            CALLBACK_URL_RULES: JSON.stringify({ allowLoopback: false, allowedPorts: [443, 8443] }),
            TEST_NETWORK: JSON.stringify(network),
          },
        },
      });
    }
    expect(stage).toMatchObject({ emulated: true, env: { account: '000000000000' } });
    expect({ ...STAGES.prod.callbackUrls, allowedPorts: [443, 8443] }).toEqual(stage.callbackUrls);
  });
});

test('the second stage is for a test and is not offered to anybody', () => {
  expect(testStage('second', undefined)).toMatchObject({
    name: 'second',
    callbackUrls: { mustBeProven: true },
  });
  expect(() => stageNamed('second')).toThrow('with one of local, dev, prod (payhooks.config.ts)');
});
