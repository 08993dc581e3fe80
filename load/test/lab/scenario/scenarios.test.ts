import { readSettings } from '../../../../functions/load-lab/receiver/store/settings.ts';
import { endpointSettings, partnerGroups, partnerOptions } from '../../../lab/partners/partner-groups.ts';
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
  'flapping',
  'flood',
  'hanging-neighbour',
  'hanging-share',
  'matrix',
  'outage-recovery',
  'partial-refusal',
  'random-failures',
  'simple',
  'slow-receiver',
  'slow-store',
  'steady-latency',
  'sustained',
  'throughput',
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

test('a misspelt scenario is refused, suggesting the similar name and listing all', async () => {
  await expect(readScenario('varying-reciever')).rejects.toThrow(
    /There is no scenario varying-reciever \(did you mean varying-receiver\?\); the scenarios are backpressure, burst/,
  );
});

test('a path is not a scenario name', async () => {
  await expect(readScenario('../package')).rejects.toThrow(/There is no scenario/);
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
  [
    'a group that the others are compared with',
    `${SIMPLE}\nrecovery: { compared_with: nobody, targets: [] }\n`,
    /recovery.compared_with: there is no group nobody/,
  ],
  ['targets that there are', `${SIMPLE}\nrecovery: { targets: [quickly] }\n`, /recovery.targets.0:/],
  [
    'a list where it names each of its values',
    SIMPLE.replace('receiver: {}', "receiver: { refused_share: '{{ each }}' }"),
    /uses each, which is not one of its/,
  ],
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
  const { groups } = await planned('outage-recovery', ...times);
  const failing = groups.find(({ name }) => name === 'failing');
  expect(failing?.changes.map(({ at }) => at)).toEqual([17, 22, 'end']);
});

test('a list makes one group per value, beside a partner without one', async () => {
  const { groups } = await planned('partial-refusal', '--refused-share', '0.05,0.2');
  expect(groups.map(({ name, services }) => [name, services])).toEqual([
    ['refuses-none', 1],
    ['refuses-0.05', 1],
    ['refuses-0.2', 1],
  ]);
  expect(groups[2]?.changes.at(-1)).toEqual({
    at: 20,
    receiver: { delay_ms: '50', refused_share: 0.2, refused_status: 422 },
  });
  expect(partnerOptions(groups, 'r1', 1).map(({ serviceId }) => serviceId)).toEqual([
    'load-r1-refuses-none-0',
    'load-r1-refuses-0_05-0',
    'load-r1-refuses-0_2-0',
  ]);
});

test.each(['5', '0.05,5 %', '0.05,0.05', ''])('a share of %j is refused', async (share) => {
  await expect(planned('partial-refusal', `--refused-share=${share}`)).rejects.toThrow(
    /--refused-share: must be a share from 0 to 1 such as 0.05, or a list of distinct ones/,
  );
});

test('more failing partners than services are refused', async () => {
  await expect(planned('hanging-neighbour', '--services', '2', '--failing', '3')).rejects.toThrow(
    /3 of 2 services/,
  );
});

test('each endpoint takes its delay from the list', () => {
  expect([0, 1, 2, 3].map((endpoint) => endpointSettings({ delay_ms: '100,50-80,2000' }, endpoint))).toEqual([
    { delay_ms: 100 },
    { delay_ms: [50, 80] },
    { delay_ms: 2_000 },
    { delay_ms: 100 },
  ]);
});
