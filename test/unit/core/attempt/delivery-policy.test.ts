import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  DELIVERY_POLICY,
  type DeliveryPolicy,
  deliveryPolicySchema,
  parseDeliveryPolicy,
} from '../../../../functions/core/attempt/delivery-policy.ts';

const { schedules, circuit } = DELIVERY_POLICY;
const hours = (delays: readonly number[]) => delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000;

test('a message is retried after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  expect(schedules.standard).toEqual([
    5_000, 60_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
  ]);
});

test('a receiver that comes from GOV.UK Pay may have 60 s, 5 min, 1 h, 1 day and 2 days', () => {
  expect(schedules.govuk).toEqual([60_000, 300_000, 3_600_000, 86_400_000, 172_800_000]);
});

test.each(['standard', 'govuk'] as const)('the total age lets the %s schedule be used up', (name) => {
  expect(hours(schedules[name])).toBeLessThan(DELIVERY_POLICY.totalAgeMs / 3_600_000);
});

test('the other numbers are those of the domain', () => {
  expect(DELIVERY_POLICY).toMatchObject({
    jitter: 0.1,
    longestRetryAfter: 2,
    totalAgeMs: 273_600_000,
    disableAfterMs: 432_000_000,
    keptWhileDisabledMs: 273_600_000,
    graceMs: 120_000,
    longestTimerMs: 900_000,
    armedAheadMs: 840_000,
    sequenceGapMs: 900_000,
  });
  expect(circuit).toEqual({
    failedKeys: 20,
    readingMs: 100,
    slowMs: 500,
    slowOfAll: 250,
    fewestCrowding: 2,
    firstCoolDownMs: 1_000,
    coolDownGrowth: 1.25,
    longestCoolDownMs: 300_000,
    probeTransitMs: 15_000,
    tickMs: 1_000,
    lookAgainMs: 200,
    firstWindow: 5,
    widestWindow: 100,
    widestWindowOfAll: 2_000,
    quietMs: 60_000,
    crowdedQuietMs: 5_000,
    freshMs: 2_000,
    tailMs: 3_600_000,
    idleMs: 30_000,
    manyWaiting: 1_000,
    countEveryMs: 60_000,
  });
});

test('a policy reaches the functions as JSON', () => {
  expect(deliveryPolicySchema.parse(JSON.parse(JSON.stringify(DELIVERY_POLICY)))).toEqual(DELIVERY_POLICY);
});

test.each<[string, object]>([
  ['a schedule without delays', { schedules: { ...schedules, govuk: [] } }],
  ['a schedule that goes back in time', { schedules: { ...schedules, standard: [-1] } }],
  ['parts of a millisecond', { totalAgeMs: 0.5 }],
  ['a jitter above one half', { jitter: 0.6 }],
  ['a patience below the scheduled delay', { longestRetryAfter: 0.9 }],
  ['a circuit that opens with no failure', { circuit: { ...circuit, failedKeys: 0 } }],
  ['cool-downs that grow shorter', { circuit: { ...circuit, coolDownGrowth: 0.9 } }],
  ['a drain of nobody', { circuit: { ...circuit, firstWindow: 0 } }],
  ['ticks without a pause', { circuit: { ...circuit, tickMs: 0 } }],
  ['a gap that lets no straggler catch up', { sequenceGapMs: 999 }],
  ['a gap above 26 hours', { sequenceGapMs: 93_600_001 }],
  ['a number left out', { graceMs: undefined }],
])('a policy with %s is refused', (_, over) => {
  expect(deliveryPolicySchema.safeParse({ ...DELIVERY_POLICY, ...over } as DeliveryPolicy).success).toBe(
    false,
  );
});

test('each number that the page on ordered retry names is one of the policy', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/ordered-retry.md'), 'utf8');
  const [, table = ''] = page.split('\n## The numbers\n');
  const named = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  const { schedules, circuit, ...rest } = DELIVERY_POLICY;
  expect(named.length).toBeGreaterThan(10);
  expect(Object.keys({ ...schedules, ...rest, ...circuit })).toEqual(expect.arrayContaining(named));
});

test.each([0, 3_651, 1.5])('what has ended is not kept for %p days', (retentionDays) => {
  expect(() => parseDeliveryPolicy(JSON.stringify({ ...DELIVERY_POLICY, retentionDays }))).toThrow(
    'retentionDays',
  );
});
