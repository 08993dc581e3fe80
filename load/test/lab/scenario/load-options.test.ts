import { cellsOf } from '../../../lab/plan/cells.ts';
import { givenOptions, loadOptions } from '../../../lab/scenario/load-options.ts';
import { readScenario } from '../../../lab/scenario/scenario.ts';

async function optionsOf(...args: string[]) {
  const wanted = givenOptions(args);
  return loadOptions(wanted, await readScenario(wanted.scenario));
}

test("options default to the scenario's parameters", async () => {
  expect(await optionsOf('simple')).toMatchObject({
    scenario: 'simple',
    stage: 'local',
    parameters: { rate: 10, duration: 60, delay_ms: '100' },
    axes: {},
    json: false,
  });
});

test('parameters can be given before and after the scenario, with and without an equals sign', async () => {
  const { parameters } = await optionsOf(
    '--rate',
    '0.5',
    'simple',
    '--delay-ms=100-2000',
    '--events-per-payment',
    '3',
  );
  expect(parameters).toMatchObject({ rate: 0.5, delay_ms: '100-2000', events_per_payment: 3 });
});

test.each([
  [['simple', '--raet', '5'], /Unknown option '--raet'; with --help a scenario lists its options/],
  [['simple', '--concurrency', '5'], /--concurrency: simple has no such option; it has --rate, --duration/],
  [['simple', '--rate', 'many'], /--rate: must be a number from 0.01 to 5000/],
  [['simple', '--rate=0x5'], /--rate: must be a number from 0.01 to 5000/],
  [['simple', '--warm-up='], /--warm-up: must be a whole number from 0 to 600/],
  [['simple', '--rate'], /Option '--rate <value>' argument missing; /],
  [['simple', '--duration', '1.5'], /--duration: must be a whole number from 1 to 172800/],
  [['simple', '--delay-ms', '200-100'], /--delay-ms: ranges must ascend/],
  [['simple', '--delay-ms', 'soon'], /--delay-ms: must be milliseconds such as 100/],
  [['matrix', '--body-bytes', '1024,x'], /--body-bytes: must be a whole number/],
])('%j is refused with the reason', async (args, reason) => {
  await expect(optionsOf(...args)).rejects.toThrow(reason);
});

test('a stage without the load lab is refused', () => {
  expect(() => givenOptions(['simple', '--stage', 'prod'])).toThrow(
    '--stage: prod has no load lab; these have: local, dev',
  );
});

test('patience covers the circuits of the stage, unless it is given', async () => {
  const patience = async (...args: string[]) => (await optionsOf('simple', ...args)).parameters.patience;
  expect(await patience()).toBe(60);
  expect(await patience('--stage', 'dev')).toBe(630);
  expect(await patience('--stage', 'dev', '--patience', '20')).toBe(20);
});

test('the matrix has 27 cells, 80 with --full, and fewer when an axis is given', async () => {
  const count = async (...args: string[]) => cellsOf((await optionsOf('matrix', ...args)).axes).length;
  expect(await count()).toBe(27);
  expect(await count('--full')).toBe(80);
  expect(await count('--body-bytes', '1024', '--concurrency', '20,40')).toBe(6);
});

test.each(['0', 'often', '1.5', '100'])('%s repetitions are refused', (repeat) => {
  expect(() => givenOptions(['simple', '--repeat', repeat])).toThrow(
    `--repeat: ${repeat} is invalid: a whole number from 1 to 99`,
  );
});
