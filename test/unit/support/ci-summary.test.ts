import { type Ran, summaryOf, type TestFile } from '../../support/jest/ci-summary.ts';

const file = (name: string, tests: Readonly<Record<string, string>>, part = name.split('/')[0] as string) =>
  ({
    ...{ file: `test/${name}`, part, seconds: 3, isBroken: false },
    tests: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  }) satisfies TestFile;
const MATCH = file('unit/match.test.ts', { one: 'passed', 'two (needs aws and jq)': 'pending' });
const ENGINES = file('integration/tokens.test.ts', { one: 'passed' }, 'engines');
const THOROUGH = file('thorough/engines/elasticmq.test.ts', { one: 'passed' });

const summary = (given: Partial<Ran> = {}) =>
  summaryOf({ files: [MATCH, THOROUGH, ENGINES], parts: [], java: undefined, ...given });

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
  const skipped = file('integration/tokens.test.ts', { one: 'pending', two: 'pending' }, 'engines');
  const spring = file('thorough/delivery/frameworks.test.ts', {
    'Spring Boot verifies': 'pending',
    'net/http of Go verifies': 'pending',
  });
  expect(summary({ files: [skipped, spring], java: 'Java 17 or newer is missing' }).lines.slice(-2)).toEqual([
    'skipped: 3 (Java 17 or newer is missing), 1 (needs go)',
    '0 passed, 0 failed, 4 skipped',
  ]);
});

test('a part of which no test ran is named, and is bad', () => {
  expect(summary({ parts: ['unit', 'engines', 'thorough/engines'] }).isBad).toBe(false);
  const skipped = file('integration/tokens.test.ts', { one: 'pending' }, 'engines');
  const { lines, isBad } = summary({ files: [THOROUGH, skipped], parts: ['engines'] });
  expect([isBad, lines.at(-3)]).toEqual([true, 'engines: no test ran']);
});

test('a file that did not come to its tests counts as one that failed', () => {
  const broken = { ...file('unit/match.test.ts', {}), isBroken: true };
  expect(summary({ files: [broken] }).lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
});
