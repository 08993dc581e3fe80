import { soakPlan, TROUBLES } from '../../soak/plan.ts';

const HOUR_MS = 3_600_000;
const given = { seed: 7, durationMs: HOUR_MS, periodMs: 180_000 };

test('the same seed draws the same disturbances, another one others', () => {
  expect(soakPlan(given)).toEqual(soakPlan(given));
  expect(soakPlan({ ...given, seed: 8 })).not.toEqual(soakPlan(given));
});

test('every trouble, a slow and a failing store and a killed worker occur in an hour, and nothing outlasts it', () => {
  const plan = soakPlan(given);
  const troubles = plan.flatMap((one) => (one.kind === 'receiver' ? [one.trouble] : []));
  expect(new Set(troubles)).toEqual(new Set(TROUBLES));
  expect(new Set(plan.flatMap((one) => (one.kind === 'store' ? [one.isFailing] : []))).size).toBe(2);
  expect(plan.filter(({ kind }) => kind === 'worker').length).toBeGreaterThan(10);
  expect(plan.every((one) => one.fromMs < HOUR_MS && (!('untilMs' in one) || one.untilMs <= HOUR_MS))).toBe(
    true,
  );
});

test('an endpoint has one trouble at a time, and calm between', () => {
  for (const trouble of TROUBLES) {
    const own = soakPlan(given).flatMap((one) =>
      one.kind === 'receiver' && one.trouble === trouble ? [one] : [],
    );
    own.slice(1).forEach(({ fromMs }, index) => {
      expect(fromMs - (own[index]?.untilMs ?? 0)).toBeGreaterThanOrEqual(90_000);
    });
  }
});

test('the store is never disturbed for longer than eight seconds', () => {
  for (const one of soakPlan({ ...given, periodMs: HOUR_MS / 4 })) {
    if (one.kind === 'store') expect(one.untilMs - one.fromMs).toBeLessThanOrEqual(8_000);
  }
});

test('nobody is killed in the second half, so that workers grow old', () => {
  const kills = soakPlan(given).filter(({ kind }) => kind === 'worker');
  expect(Math.max(...kills.map(({ fromMs }) => fromMs))).toBeLessThan(HOUR_MS / 2);
});

test('subscriptions come, change, pause and go, one after the other, some of them while they are paused', () => {
  const steps = soakPlan(given).flatMap((one) => (one.kind === 'guest' ? [one.step] : []));
  const lives = steps.join(' ').split(/(?<=delete) /);
  expect(lives.length).toBeGreaterThan(5);
  expect(new Set(lives.slice(0, -1))).toEqual(
    new Set(['create narrow widen pause delete', 'create narrow widen pause enable delete']),
  );
});
