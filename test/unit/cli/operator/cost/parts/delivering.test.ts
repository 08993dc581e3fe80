import type { Ground } from '../../../../../../cli/operator/cost/ground.ts';
import { functionsOf } from '../../../../../../cli/operator/cost/ground.ts';
import { readMeasured } from '../../../../../../cli/operator/cost/measured/measured.ts';
import { delivering } from '../../../../../../cli/operator/cost/parts/delivering.ts';
import {
  MONTH_SECONDS,
  messagesPerMonth,
  priceOf,
  type Traffic,
} from '../../../../../../cli/operator/cost/usage.ts';
import { PRICES, PRICES_BY_REGION } from '../../../../../../lib/prices.ts';
import { lambda } from '../stage.ts';

const measured = readMeasured();
/** As in the profile. */
const PROFILED: Traffic = {
  eventsPerDay: 86_400,
  subscriptions: 1,
  partners: 1,
  partnerMs: measured.partnerMs,
  bodyBytes: measured.bodyBytes,
  failedShare: 0,
};
const ALONE: Ground = {
  measured,
  batches: { match: 1, deliver: 1 },
  functions: functionsOf(['match', 'deliver', 'wake', 'statistics'].map((name) => lambda(name))),
  statistics: { batchSize: 500, windowSeconds: 0, batchesAtATime: 2 },
  retentionDays: 90,
  isRecoverable: true,
  logDays: 180,
  archiveDays: undefined,
  hasNat: false,
};
/** All batches full, those of statistics, too. */
const FULL: Ground = {
  ...ALONE,
  batches: { match: 10, deliver: 10 },
  statistics: { ...ALONE.statistics, windowSeconds: 86_400 },
};

function perMillion(part: string, traffic: Traffic, ground: Ground, prices = PRICES): number {
  const used = delivering(traffic, ground)[part] ?? {};
  return (priceOf(used, prices) / messagesPerMonth(traffic)) * 1e6;
}
const first = (traffic: Partial<Traffic> = {}, ground = FULL) =>
  perMillion('first attempts', { ...PROFILED, ...traffic }, ground);

test('with full batches and with each webhook alone it costs what npm run load -- profile cost says', () => {
  expect(first()).toBeCloseTo(measured.courses.full.perMillion, 2);
  expect(first({}, ALONE)).toBeCloseTo(measured.courses.alone.perMillion, 2);
});

test('a webhook that fails once costs what the profile says, too', () => {
  const failing = { ...PROFILED, failedShare: 1 };
  const together =
    perMillion('first attempts', failing, ALONE) + perMillion('failed first attempts', failing, ALONE);
  // It was matched in a profile of another size: a few cents.
  expect(together / measured.courses.parked.perMillion).toBeCloseTo(1, 1);
});

test('between one and ten in a batch the price is between, and falls', () => {
  const prices = [1, 2, 5, 10].map((size) => first({}, { ...FULL, batches: { match: size, deliver: size } }));
  expect(prices).toEqual(prices.toSorted((a, b) => b - a));
});

test('a partner that takes a second longer costs a second of deliver for each batch', () => {
  const longer = first({ partnerMs: measured.partnerMs + 1_000 }) - first();
  expect(longer).toBeCloseTo(0.1 * 0.5 * PRICES.lambdaGbSecond * 1e6, 3);
});

test('a body of a kilobyte more is a write unit more, a kilobyte stored three months and sent once', () => {
  const larger = { ...PROFILED, bodyBytes: measured.bodyBytes + 1_024 };
  expect(first(larger) - first()).toBeCloseTo(PRICES.writeUnit * 1e6, 2);
  const difference = (part: string) => perMillion(part, larger, FULL) - perMillion(part, PROFILED, FULL);
  const gigabytes = (1e6 * 1_024) / 1e9;
  expect(difference('to the internet')).toBeCloseTo(gigabytes * PRICES.sentGigabyte, 6);
  expect(difference('storage')).toBeCloseTo(
    gigabytes * ((90 * 24) / 730) * (PRICES.storedGigabyteMonth + PRICES.recoveryGigabyteMonth),
    6,
  );
});

test('a handshake is paid unless the same environment and partner met within four seconds', () => {
  const handshakes = (eventsPerDay: number, partners: number) => {
    const traffic = { ...PROFILED, eventsPerDay, partners };
    const { sentGigabyte = 0 } = delivering(traffic, ALONE).handshakes ?? {};
    return (sentGigabyte * 1e9) / 1_985 / messagesPerMonth(traffic);
  };
  // A single environment, once a second.
  expect(handshakes(86_400, 1)).toBeCloseTo(Math.exp(-4), 6);
  expect(handshakes(86_400, 100)).toBeCloseTo(Math.exp(-0.04), 6);
  // At a hundred a second there are some twenty environments.
  expect(handshakes(8_640_000, 1)).toBeLessThan(1e-6);
  expect(handshakes(8_640_000, 100)).toBeCloseTo(Math.exp(-4 / 21), 1);
});

test('three subscriptions share their event, and full calls to the queue', () => {
  // An event costs its own dollar and the request with which it comes to the queue once for three webhooks.
  expect(first({ subscriptions: 3 })).toBeLessThan(first() - 0.66 - 0.33 + 0.01);
});

test('a write of statistics is for each subscription in a batch', () => {
  const hundred = first({ partners: 100 }) - first();
  expect(hundred).toBeCloseTo((99 / 500) * PRICES.writeUnit * 1e6, 3);
});

test('Lambda traces the first invocation of a second and a twentieth of the others', () => {
  const traced = { ...ALONE, functions: functionsOf([lambda('deliver', { tracing: 'Active' })]) };
  const traces = (eventsPerDay: number) =>
    delivering({ ...PROFILED, eventsPerDay }, traced)['first attempts']?.trace;
  // At one a second, at random, 63 % of all seconds have one.
  expect(traces(86_400)! / MONTH_SECONDS).toBeCloseTo(0.632 + 0.05 * 0.368, 3);
  expect(traces(864)! / MONTH_SECONDS).toBeCloseTo(0.00995 + 0.05 * 0.00005, 5);
  expect(traces(101 * 86_400)! / MONTH_SECONDS).toBeCloseTo(6, 6);
});

test('the archive writes two files for each window of a shard, or for each three thousand changes', () => {
  const archived = { ...ALONE, archiveDays: 400, functions: functionsOf([lambda('archive')]) };
  const files = (eventsPerDay: number) => delivering({ ...PROFILED, eventsPerDay }, archived).archive?.s3Put;
  expect(files(288)).toBeCloseTo(2 * 288 * (730 / 24), 3);
  expect(files(86_400)).toBeCloseTo(2 * 4 * 288 * (730 / 24), 3);
  expect(files(86_400_000)).toBeCloseTo((2 * 86_400_000 * (730 / 24)) / 3_000, 3);
});

test('each region has a price for everything, and tells which of them nobody has checked', () => {
  for (const prices of Object.values(PRICES_BY_REGION)) {
    const { asOf, region, source, unchecked, ...numbers } = prices;
    expect(asOf).toMatch(/^20\d\d-\d\d$/);
    expect([region, source].every((text) => text.length > 8)).toBe(true);
    expect(Object.values(numbers).filter((price) => !(price > 0))).toEqual([]);
    expect(unchecked.filter((name) => !(name in numbers))).toEqual([]);
  }
  expect(
    perMillion('first attempts', PROFILED, FULL, PRICES_BY_REGION['eu-west-1'] as never),
  ).toBeGreaterThan(first());
});
