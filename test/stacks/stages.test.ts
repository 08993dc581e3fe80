import { addPayhooks } from '../../lib/payhooks.ts';
import { STAGES, stageNamed } from '../../lib/stages.ts';
import { testApp } from '../support/synthesized.ts';

test('an unknown stage is refused with the ones there are', () => {
  expect(() => stageNamed('live')).toThrow(
    'there is no stage "live": say -c stage=NAME with one of local, dev, prod',
  );
  expect(() => stageNamed(undefined)).toThrow('no stage was given');
});

test('prod is protected against termination and has no load lab', () => {
  const stacks = addPayhooks(testApp(), STAGES.prod);
  expect(Object.values(stacks).map(({ terminationProtection }) => terminationProtection)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(stacks.loadLab).toBeUndefined();
});

test('the stacks of a stage bear its name', () => {
  const names = Object.values(addPayhooks(testApp(), STAGES.dev)).map(({ stackName }) => stackName);
  expect(names.sort()).toEqual([
    'payhooks-dev-api',
    'payhooks-dev-data',
    'payhooks-dev-load-lab',
    'payhooks-dev-observability',
    'payhooks-dev-pipeline',
  ]);
});
