import { Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/payhooks.ts';
import { withWorkers } from '../../../lib/stage-options.ts';
import { STAGES, stageNamed } from '../../../lib/stages.ts';
import { testStage } from '../../../lib/test-stages.ts';
import { synthesized, testApp } from '../../support/templates/synthesized.ts';

test('an unknown stage is refused with the list of stages', () => {
  expect(() => stageNamed('live')).toThrow(
    'unknown stage "live": use -c stage=NAME with one of local, dev, prod',
  );
  expect(() => stageNamed(undefined)).toThrow('no stage given');
});

test('the local stage may have another number of workers, and no other stage may', () => {
  expect(withWorkers(STAGES.local, undefined)).toBe(STAGES.local);
  expect(withWorkers(STAGES.local, '150').concurrency).toEqual({ ...STAGES.local.concurrency, deliver: 150 });
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

test('the stacks of a stage carry its name', () => {
  const names = Object.values(addPayhooks(testApp(), STAGES.dev)).map(({ stackName }) => stackName);
  expect(names.sort()).toEqual([
    'payhooks-dev-api',
    'payhooks-dev-archive',
    'payhooks-dev-data',
    'payhooks-dev-doctor',
    'payhooks-dev-load-lab',
    'payhooks-dev-observability',
    'payhooks-dev-people',
    'payhooks-dev-pipeline',
  ]);
});

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
