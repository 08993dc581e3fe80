import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { type Ran, summaryOf } from '../../support/jest/ci-summary.ts';

const file = (name: string, tests: Readonly<Record<string, string>>, status = 'passed') => ({
  ...{ name: path.join(PROJECT, 'test', name), status, startTime: 1_000, endTime: 4_000 },
  assertionResults: Object.entries(tests).map(([fullName, one]) => ({ fullName, status: one })),
});
const MATCH = file('unit/match.test.ts', { one: 'passed', 'two (needs aws and jq)': 'pending' });
const ENGINES = file('integration/tokens.test.ts', { one: 'passed' });
const THOROUGH = file('thorough/engines/elasticmq.test.ts', { one: 'passed' });

const summary = (given: Partial<Ran> & { parts?: Ran['parts'] } = {}) =>
  summaryOf({
    ...{ parts: { tests: [MATCH], thorough: [THOROUGH], engines: [ENGINES] }, again: [] },
    ...{ java: undefined, needsEngines: false, ...given },
  });

test('the last line counts what passed, failed and was skipped; the one before says why', () => {
  expect(summary().lines.slice(-2)).toEqual([
    'skipped: 1 (needs aws and jq)',
    '3 passed, 0 failed, 1 skipped',
  ]);
});

test('each part is listed with its tests and seconds', () => {
  expect(summary().lines.slice(0, 4)).toEqual([
    '  tests  seconds  part',
    '      1        3  unit',
    '      1        3  thorough/engines',
    '      1        3  engines',
  ]);
});

test('without Java, what was skipped bears its reason', () => {
  const skipped = file('integration/tokens.test.ts', { one: 'pending', two: 'pending' });
  const spring = file('thorough/delivery/frameworks.test.ts', {
    'Spring Boot verifies': 'pending',
    'net/http of Go verifies': 'pending',
  });
  const { lines, isBad } = summary({
    parts: { engines: [skipped], thorough: [spring] },
    java: 'Java 17 or newer is missing',
  });
  expect(lines.slice(-2)).toEqual([
    'skipped: 3 (Java 17 or newer is missing), 1 (needs go)',
    '0 passed, 0 failed, 4 skipped',
  ]);
  expect(isBad).toBe(false);
});

test('a CI with Java fails if either part with engines ran no test', () => {
  expect(summary({ needsEngines: true }).isBad).toBe(false);
  const skipped = file('integration/tokens.test.ts', { one: 'pending' });
  const { lines, isBad } = summary({
    needsEngines: true,
    parts: { thorough: [THOROUGH], engines: [skipped] },
  });
  expect(isBad).toBe(true);
  expect(lines).toContain('engines: Java is on this machine, but no test ran');
  expect(summary({ needsEngines: true, parts: { thorough: [], engines: [ENGINES] } }).isBad).toBe(true);
});

test('a part that did not come to its end is bad, and a file without tests counts as one that failed', () => {
  const { lines, isBad } = summary({
    parts: { tests: undefined, thorough: [file('thorough/engines/a', {}, 'failed')] },
  });
  expect(isBad).toBe(true);
  expect(lines).toContain('tests: Jest did not come to its end');
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
});

test('a file that failed at first counts as it ran the second time, and is named', () => {
  const failed = file('unit/match.test.ts', { one: 'failed' }, 'failed');
  const { lines } = summary({ parts: { tests: [failed] }, again: [MATCH] });
  expect(lines).toContain('test/unit/match.test.ts failed at first: mend it');
  expect(lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped');
});
