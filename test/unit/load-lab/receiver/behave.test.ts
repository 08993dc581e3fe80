import { behave, type Dice } from '../../../../functions/load-lab/receiver/behave.ts';
import { QUIET, type Settings } from '../../../../functions/load-lab/receiver/store/settings.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
interface Given {
  about?: string;
  at?: number;
  dice?: Dice;
}
const luckiest = { delay: 0, failure: 0.999 };

function plan(settings: Partial<Settings>, { about = 'pay_1', at = noon, dice = luckiest }: Given = {}) {
  return behave({ ...QUIET, ...settings }, { resource_id: about }, at, dice);
}

test('an endpoint without settings answers 200 at once', () => {
  expect(plan({})).toEqual({ kind: 'answer', status: 200, delayMs: 0, headers: {} });
});

test('a fixed delay is the same for every webhook', () => {
  expect(plan({ delay_ms: 100 }, { dice: { ...luckiest, delay: 0.7, failure: 0.999 } })).toMatchObject({
    delayMs: 100,
  });
});

test.each([
  [0, 100],
  [0.5, 1_050],
  [0.9999, 2_000],
])('a draw of %d from 100 to 2000 ms gives %d ms', (delay, delayMs) => {
  expect(plan({ delay_ms: [100, 2_000] }, { dice: { ...luckiest, delay } })).toMatchObject({ delayMs });
});

test('a failure rate refuses that share of the draws', () => {
  const settings = { failure_rate: 0.1, failure_status: 503 };
  expect(plan(settings, { dice: { ...luckiest, delay: 0, failure: 0.09 } })).toMatchObject({ status: 503 });
  expect(plan(settings, { dice: { ...luckiest, delay: 0, failure: 0.1 } })).toMatchObject({ status: 200 });
});

test('a failure rate of 1 refuses every draw, one of 0 none', () => {
  expect(plan({ failure_rate: 1 }, { dice: { ...luckiest, delay: 0, failure: 0.9999 } })).toMatchObject({
    status: 500,
  });
  expect(plan({ failure_rate: 0 }, { dice: { ...luckiest, delay: 0, failure: 0 } })).toMatchObject({
    status: 200,
  });
});

test('an outage refuses everything until it ends', () => {
  const settings = { outage_until: '2026-01-01T12:00:00.000Z', failure_status: 502 };
  expect(plan(settings, { at: noon - 1 })).toMatchObject({ status: 502 });
  expect(plan(settings, { at: noon })).toMatchObject({ status: 200 });
});

test('one payment can be refused while others are accepted', () => {
  expect(plan({ failing_resource_id: 'pay_2' }, { about: 'pay_2' })).toMatchObject({ status: 500 });
  expect(plan({ failing_resource_id: 'pay_2' }, { about: 'pay_1' })).toMatchObject({ status: 200 });
});

test('every answer has the extra headers', () => {
  const settings = { response_headers: { 'webhook-delivery': 'disable' } };
  expect(plan(settings)).toMatchObject({ headers: settings.response_headers });
  expect(plan({ ...settings, failure_rate: 1 })).toMatchObject({ headers: settings.response_headers });
});

test('a hanging endpoint never answers, whatever else is set', () => {
  expect(plan({ hang: true, failure_rate: 1 })).toEqual({ kind: 'hang' });
});
