import { behave, type Dice } from '../../../../functions/load-lab/receiver/behave.ts';
import { QUIET, type Settings } from '../../../../functions/load-lab/receiver/store/settings.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
interface Given {
  about?: string;
  payment?: string;
  at?: number;
  dice?: Dice;
}
const luckiest = { delay: 0, failure: 0.999, hang: 0.999 };

function plan(
  settings: Partial<Settings>,
  { about = 'pay_1', payment, at = noon, dice = luckiest }: Given = {},
) {
  const webhook = { resource_id: about, payment_id: payment ?? about };
  return behave({ ...QUIET, ...settings }, webhook, at, dice);
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

test('a flapping endpoint is up and down in turns', () => {
  const settings = { flap_seconds: [4, 2] as [number, number], failure_status: 503 };
  const from = Math.ceil(noon / 6_000) * 6_000;
  const statuses = [0, 3.999, 4, 5.999, 6, 9.999, 10].map((second) =>
    plan(settings, { at: from + second * 1_000 }),
  );
  expect(statuses.map((one) => 'status' in one && one.status)).toEqual([200, 200, 503, 503, 200, 200, 503]);
});

const payments = Array.from({ length: 2_000 }, (_, number) => `pay_${number}`);
const refusedOf = (refused_share: number) =>
  payments.filter((about) => {
    const one = plan({ refused_share }, { about });
    return one.kind === 'answer' && one.status === 422;
  });

test.each([0.01, 0.05, 0.2])(
  'a share of %d of the payments is refused, and always the same payments',
  (share) => {
    const refused = refusedOf(share);
    expect(refused.length / payments.length).toBeGreaterThan(share * 0.6);
    expect(refused.length / payments.length).toBeLessThan(share * 1.4);
    expect(refusedOf(share)).toEqual(refused);
  },
);

test('a larger share refuses the same payments and more', () => {
  expect(refusedOf(0)).toEqual([]);
  expect(refusedOf(0.2)).toEqual(expect.arrayContaining(refusedOf(0.05)));
  expect(refusedOf(1)).toEqual(payments);
});

test('a refused payment has its own status for all its resources, except while the endpoint is down', () => {
  const settings = { refused_share: 1, refused_status: 409, failure_status: 503 };
  expect(plan(settings, { about: 'ref_1', payment: 'pay_1' })).toMatchObject({ status: 409 });
  expect(plan({ ...settings, outage_until: '2026-01-01T12:00:01.000Z' })).toMatchObject({ status: 503 });
});

test('a share of the webhooks is never answered, decided per attempt', () => {
  expect(plan({ hang_share: 0.05 }, { dice: { ...luckiest, hang: 0.049 } })).toEqual({ kind: 'hang' });
  expect(plan({ hang_share: 0.05 }, { dice: { ...luckiest, hang: 0.05 } })).toMatchObject({ status: 200 });
});

test('an endpoint that is down also refuses webhooks that would hang', () => {
  const settings = { hang_share: 1, failure_rate: 1, failure_status: 503 };
  expect(plan(settings)).toMatchObject({ status: 503 });
});
