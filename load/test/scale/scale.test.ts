import { resultForPeople } from '../../scale/report/tables-for-people.ts';
import { ALL_SCENARIOS, scaleOptions } from '../../scale/run-options.ts';

const PATIENCE_MS = 120_000;

/** With so few messages, percentiles and drain rates mean nothing. */
const NEEDS_MANY = /p99|notice/;

test.each([
  ['crowd', 0.02],
  ['million', 0.002],
  ['uneven', 0.1],
  ['comeback', 0.02],
  ['hot-payment', 0.05],
  ['hot-subscription', 0.02],
  ['fan-out', 0.05],
  ['hanging', 0.1],
  ['begin-to-hang', 0.05],
  ['refusals', 0.05],
  ['rates', 0.02],
])(
  '%s, made small, keeps its promises and is reported in a table',
  async (name, size) => {
    const scenario = ALL_SCENARIOS.find((one) => one.name === name)!;
    const result = await scenario.run(size, () => {});
    expect(result.verdicts.filter(({ kept, promise }) => !kept && !NEEDS_MANY.test(promise))).toEqual([]);
    const told = resultForPeople(scenario, result);
    expect(told).toMatch(/kept .*each payment in order: nothing came out of turn/);
    expect(told).not.toMatch(/NaN|undefined/);
  },
  PATIENCE_MS,
);

test('all scenarios run by default', () => {
  expect(scaleOptions([])).toMatchObject({ scenarios: ALL_SCENARIOS, size: 1, json: false });
  expect(scaleOptions(['crowd', '--json', '--size', '0.1'])).toMatchObject({
    scenarios: [{ name: 'crowd' }],
    size: 0.1,
    json: true,
  });
  expect(scaleOptions(['--help'])).toBe('help');
});

test('invalid options are refused', () => {
  expect(() => scaleOptions(['cloud'])).toThrow(
    'there is no scenario cloud: crowd, million, uneven, comeback, hot-payment, hot-subscription, fan-out, hanging, begin-to-hang, refusals, rates',
  );
  for (const size of ['5', '0x1', ' 1 ', '']) {
    expect(() => scaleOptions([`--size=${size}`])).toThrow('--size: must be a number from 0.01 to 4');
  }
});
