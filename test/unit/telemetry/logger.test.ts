import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SQSRecord } from 'aws-lambda';
import { DELIVER_ENV } from '../../../functions/pipeline/deliver/env.ts';
import { MATCH_ENV } from '../../../functions/pipeline/match/env.ts';
import { logger } from '../../../functions/telemetry/logger.ts';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../functions/telemetry/metrics.ts';
import { tellAge } from '../../../functions/telemetry/record-age.ts';
import { writeFunctionCode } from '../../../lib/bundling/function-code.ts';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';
import { runSeparately } from '../../support/separate-process.ts';

describe('logger', () => {
  /** The log entry that is written. */
  function lineOf(write: () => void): string {
    let written = '';
    const spies = ([process.stdout, process.stderr] as const).map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((text) => {
        written += String(text);
        return true;
      }),
    );
    write();
    for (const spy of spies) {
      spy.mockRestore();
    }
    return written;
  }

  test('every string of a log entry is limited in length', () => {
    const long = 'x'.repeat(50_000);
    const line = lineOf(() =>
      logger.error('something', { field: long, deep: [{ in: long }], error: new Error(`no such ${long}`) }),
    );
    expect(line).toContain('... (50000 characters)');
    expect(line.length).toBeLessThan(30_000);
  });

  test('a log entry contains nothing that can act on the terminal of its reader', () => {
    const line = lineOf(() =>
      logger.info('something', { field: 'a\u0000\u001b[31m\n\u009b1m\u202egnp\ud800' }),
    );
    expect(line.trimEnd()).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(line).field).toBe('a\u0000\u001b[31m\n\\u009b1m\\u202egnp\\ud800');
  });
});

describe('record age', () => {
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
});

describe('age comes first', () => {
  const ROOT = path.resolve(import.meta.dirname, '../../..');

  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payhooks-age-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What a function has written about an hour-old record before it first waits for anything. */
  function firstWords(name: 'match' | 'deliver', variables: readonly string[]): Promise<unknown> {
    const env = Object.fromEntries(variables.map((variable) => [variable, 'https://nowhere.invalid/1/x']));
    writeFunctionCode(name, path.join(folder, name), { events: EventCatalogue.govUkPay() });
    const source = `
    const { handler } = await import(${JSON.stringify(path.join(folder, name, 'index.mjs'))});
    const written = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text) => written.push(String(text)) > 0;
    const attributes = { SentTimestamp: String(Date.now() - 3_600_000), ApproximateReceiveCount: '9', MessageGroupId: 'g' };
    handler({ Records: [{ messageId: '1', receiptHandle: 'r', body: '{', attributes }] }, {}).catch(() => {});
    process.stdout.write = write;
    print(written);
    process.exit(0);`;
    return runSeparately(source, {
      cwd: ROOT,
      env: {
        ...env,
        DELIVERY_POLICY: '{}',
        CALLBACK_URL_RULES: '{}',
        AWS_REGION: 'nowhere',
        POWERTOOLS_METRICS_NAMESPACE: 'Payhooks',
        POWERTOOLS_SERVICE_NAME: name,
      },
    });
  }

  test.each([
    ['match', MATCH_ENV],
    ['deliver', DELIVER_ENV],
  ] as const)(
    '%s reports the age of its records before it processes them, since one may crash it',
    async (name, variables) => {
      const lines = (await firstWords(name, variables)) as string[];
      const metric = lines.map((line) => JSON.parse(line)).find((line) => 'RecordAge' in line);
      expect(metric).toMatchObject({ service: name });
      expect(metric.RecordAge).toBeGreaterThanOrEqual(3_600_000);
    },
  );
});
