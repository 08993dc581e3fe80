import {
  DELIVERY_POLICY,
  type DeliveryPolicy,
  deliveryPolicyJson,
  deliveryPolicySchema,
  parseDeliveryPolicy,
} from '../../../../functions/core/attempt/delivery-policy.ts';

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
