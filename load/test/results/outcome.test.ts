import { judgeRun } from '../../results/judge-run.ts';
import { outcomeOf } from '../../results/outcome.ts';
import { findingsOf } from '../builders.ts';

test('what is broken makes a run fail, though it has gaps; gaps alone make it void', () => {
  expect(outcomeOf([], [])).toEqual({ outcome: 'passed', reasons: [] });
  expect(outcomeOf([], ['1 lost'])).toEqual({ outcome: 'failed', reasons: ['1 lost'] });
  expect(outcomeOf(['late'], [])).toEqual({ outcome: 'void', reasons: ['late'] });
  expect(outcomeOf(['late'], ['1 lost'])).toEqual({ outcome: 'failed', reasons: ['1 lost', 'late'] });
});

const { promises } = findingsOf();

test.each([
  [{ expected: 0, delivered: 0 }, 'no event was published'],
  [{ delivered: 0, ended: { 'exhausted/schedule': 100 } }, 'none of 100 messages was delivered'],
])('a run that measured nothing is void: %j', (given, reason) => {
  const run = { gaps: [], promises: { ...promises, ...given } };
  expect(judgeRun(run)).toEqual({ outcome: 'void', reasons: [reason] });
});

test('a run that lost all it published measured that, and failed', () => {
  const run = { gaps: [], promises: { ...promises, delivered: 0, lost: 100 } };
  expect(judgeRun(run)).toEqual({ outcome: 'failed', reasons: ['100 lost'] });
});
