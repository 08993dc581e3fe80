import { readSettings } from '../../../../functions/load-lab/receiver/store/settings.ts';
import { endpointSettings, partnerGroups } from '../../../lab/partners/partner-groups.ts';
import { artilleryScript, plannedSeconds } from '../../../lab/scenario/artillery.ts';
import { fill } from '../../../lab/scenario/fill.ts';
import { givenOptions, loadOptions } from '../../../lab/scenario/load-options.ts';
import { readScenario, scenarioNames, scenarioOf } from '../../../lab/scenario/scenario.ts';
import { planned } from './planned.ts';

const NAMES = [
  'backpressure',
  'burst',
  'call-count',
  'dead-partner',
  'flood',
  'hanging-neighbour',
  'matrix',
  'outage-recovery',
  'simple',
  'slow-receiver',
  'slow-store',
  'sustained',
  'varying-receiver',
];

const SIMPLE = `
title: A test
source: { name: somebody, saw: [something] }
parameters: { rate: 10, duration: 5 }
partners: [{ name: all, services: rest, receiver: {} }]
artillery: { phases: [{ duration: '{{ duration }}', arrivalRate: '{{ rate }}' }] }
`;

test('each experiment has its scenario', async () => {
  expect(await scenarioNames()).toEqual(NAMES);
});

describe.each(NAMES)('%s', (name) => {
  test('is valid, and names its source', async () => {
    const scenario = await readScenario(name);
    expect(scenario.source.saw.length).toBeGreaterThan(0);
    const { parameters } = loadOptions(givenOptions([name]), scenario);
    const first = Object.fromEntries(Object.entries(scenario.axes).map(([axis, [value]]) => [axis, value]));
    const all = { ...parameters, ...first };
    expect(plannedSeconds(artilleryScript(scenario, all))).toBeGreaterThan(0);
    for (const { receiver, changes } of partnerGroups(scenario, all)) {
      const later = changes.flatMap(({ receiver }) => (receiver === undefined ? [] : [receiver]));
      for (const settings of [receiver, ...later]) {
        expect(readSettings(endpointSettings(settings, 0))).toMatchObject({ kind: 'usable' });
      }
    }
  });
});

test('a misspelt scenario is refused, listing all', async () => {
  await expect(readScenario('varying-reciever')).rejects.toThrow(
    /There is no scenario varying-reciever; the scenarios are backpressure, burst/,
  );
});

test.each([
  ['a source', SIMPLE.replace(/source.*\n/, ''), /source:/],
  ['what was seen', SIMPLE.replace('[something]', '[]'), /source.saw:/],
  ['known parameters', SIMPLE.replace('rate: 10', 'rat: 10'), /unknown parameter rat; known are rate, /],
  [
    'parameters for all that it names',
    SIMPLE.replace('rate: 10, ', ''),
    /uses rate, which is not one of its/,
  ],
  ['one group with the rest', SIMPLE.replace('rest', '1'), /exactly one group of partners must have/],
  ['no other fields', `${SIMPLE}\npartner: 1\n`, /partner/],
])('a scenario must have %s', (_, text, fault) => {
  expect(() => scenarioOf(text, 'x.yml')).toThrow(fault);
});

test('parameters fill placeholders: a lone one stays a number, one within a text becomes text', () => {
  const filled = fill({ a: '{{ rate }}', b: ['to {{delay_ms}} ms'], c: true }, { rate: 5, delay_ms: '1-2' });
  expect(filled).toEqual({ a: 5, b: ['to 1-2 ms'], c: true });
});

test('partners that change for a while return to their first behaviour', async () => {
  const times = ['--baseline', '10', '--outage-after', '7', '--outage-seconds', '5'];
  const { scenario, parameters, groups } = await planned('outage-recovery', ...times);
  const failing = groups.find(({ name }) => name === 'failing');
  expect(failing?.changes.map(({ at }) => at)).toEqual([17, 22, 'end']);
  expect(plannedSeconds(artilleryScript(scenario, parameters))).toBe(10 + 60);
});
