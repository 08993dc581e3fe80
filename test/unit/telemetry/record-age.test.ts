import type { SQSRecord } from 'aws-lambda';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../functions/telemetry/metrics.ts';
import { tellAge } from '../../../functions/telemetry/record-age.ts';

const NOW_MS = Date.parse('2026-11-14T10:00:00Z');

/** What is written about records of these ages, in ms. */
function toldOf(...agesMs: readonly number[]): string {
  const records = agesMs.map((ageMs) => ({
    attributes: { SentTimestamp: String(NOW_MS - ageMs), ApproximateReceiveCount: '7' },
  })) as unknown as SQSRecord[];
  let written = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  tellAge(records, NOW_MS);
  spy.mockRestore();
  return written;
}

afterEach(() => metrics.clearMetrics());

test('the age of the oldest record is written at once, before the record can crash its worker', () => {
  expect(JSON.parse(toldOf(1_000, 3_600_000, 2_000))).toMatchObject({ [METRIC.recordAge]: 3_600_000 });
  expect(metrics.hasStoredMetrics()).toBe(false);
});

test('records that are on time write nothing', () => {
  expect(toldOf(0, 59_999)).toBe('');
  expect(toldOf()).toBe('');
});

test('a record without a time is ignored', () => {
  expect(toldOf(Number.NaN, 60_000)).toContain(`"${METRIC.recordAge}":60000`);
});
