import fc from 'fast-check';
import {
  DELIVERY_POLICY,
  type DeliveryPolicy,
  deliveryPolicyJson,
  deliveryPolicySchema,
  parseDeliveryPolicy,
} from '../../../../functions/core/attempt/delivery-policy.ts';
import { retryDelayMs } from '../../../../functions/core/attempt/retry-schedule.ts';
import { STAGES } from '../../../../payhooks.config.ts';

const schedule = DELIVERY_POLICY.schedules.standard;

function delayMs(failedAttempts: number, draw: number, retryAfterMs?: number) {
  return retryDelayMs({ failedAttempts, schedule, draw, retryAfterMs }, DELIVERY_POLICY);
}

test.each([
  [1, 4_500, 5_000, 5_500],
  [2, 54_000, 60_000, 66_000],
  [5, 6_480_000, 7_200_000, 7_920_000],
  [10, 77_760_000, 86_400_000, 95_040_000],
])('the delay after failure %i is from %i to %i to %i ms', (failedAttempts, least, middle, max) => {
  expect([0, 0.5, 1].map((draw) => delayMs(failedAttempts, draw))).toEqual([least, middle, max]);
});

test('a message has one of two schedules, and on no stage is one of them empty', () => {
  for (const { deliveryPolicy } of Object.values(STAGES)) {
    const { schedules } = deliveryPolicy;
    expect(Object.keys(schedules)).toEqual(['standard', 'govuk']);
    expect(Object.values(schedules).map(({ length }) => length)).not.toContain(0);
  }
});

test('after the eleventh failure the schedule is used up', () => {
  expect(delayMs(11, 0.5)).toBeUndefined();
});

test.each([
  ['nothing', undefined, 60_000],
  ['less than the schedule has', 30_000, 60_000],
  ['more', 90_000, 90_000],
  ['twice as much', 120_000, 120_000],
  ['a day', 86_400_000, 120_000],
])('a receiver that asks for %s is met as far as twice the delay', (_, retryAfterMs, expected) => {
  expect(delayMs(2, 0.5, retryAfterMs)).toBe(expected);
});

test('a delay is never under 0.9 nor over 2.2 times the scheduled one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: schedule.length }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.nat(10 ** 12), { nil: undefined }),
      (failedAttempts, draw, retryAfterMs) => {
        const ratio = delayMs(failedAttempts, draw, retryAfterMs)! / schedule[failedAttempts - 1]!;
        expect(ratio).toBeGreaterThanOrEqual(0.9);
        expect(ratio).toBeLessThanOrEqual(retryAfterMs === undefined ? 1.1 : 2.2);
      },
    ),
  );
});

const { schedules, circuit } = DELIVERY_POLICY;
const hours = (delays: readonly number[]) => delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000;

test.each(['standard', 'govuk'] as const)('the total age lets the %s schedule be used up', (name) => {
  expect(hours(schedules[name])).toBeLessThan(DELIVERY_POLICY.totalAgeMs / 3_600_000);
});

test('a policy that changes one number of each kind says these three', () => {
  const policy = {
    ...DELIVERY_POLICY,
    jitter: 0.2,
    schedules: { ...schedules, govuk: [1_000] },
    circuit: { ...circuit, timerMs: 2_000 },
  };
  expect(JSON.parse(deliveryPolicyJson(policy))).toEqual({
    jitter: 0.2,
    schedules: { govuk: [1_000] },
    circuit: { timerMs: 2_000 },
  });
  expect(parseDeliveryPolicy(deliveryPolicyJson(policy))).toEqual(policy);
});

test.each<[string, object]>([
  ['a schedule without delays', { schedules: { ...schedules, govuk: [] } }],
  ['a schedule that goes back in time', { schedules: { ...schedules, standard: [-1] } }],
  ['parts of a millisecond', { totalAgeMs: 0.5 }],
  ['a jitter above one half', { jitter: 0.6 }],
  ['a patience below the scheduled delay', { longestRetryAfter: 0.9 }],
  ['a circuit that opens with no failure', { circuit: { ...circuit, failedOrderingKeys: 0 } }],
  ['cool-downs that grow shorter', { circuit: { ...circuit, coolDownGrowth: 0.9 } }],
  ['a drain of nobody', { circuit: { ...circuit, firstWindow: 0 } }],
  ['timers without a pause', { circuit: { ...circuit, timerMs: 0 } }],
  ['a gap that lets no straggler catch up', { sequenceGapMs: 999 }],
  ['a gap above 26 hours', { sequenceGapMs: 93_600_001 }],
  ['a number left out', { graceMs: undefined }],
])('a policy with %s is refused', (_, over) => {
  expect(deliveryPolicySchema.safeParse({ ...DELIVERY_POLICY, ...over } as DeliveryPolicy).success).toBe(
    false,
  );
});

test.each([0, 3_651, 1.5])('what has ended is not kept for %p days', (retentionDays) => {
  expect(() => parseDeliveryPolicy(JSON.stringify({ ...DELIVERY_POLICY, retentionDays }))).toThrow(
    'retentionDays',
  );
});
