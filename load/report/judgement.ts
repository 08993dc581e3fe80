import { judgeRun } from '../results/judge-run.ts';
import type { Outcome } from '../results/outcome.ts';
import type { RunResult } from '../results/run-result.ts';
import { count } from './numbers.ts';

export const OUTCOME_SIGNS = { passed: '✓', failed: '✗', void: '–' } as const satisfies Record<
  Outcome,
  string
>;

/** The outcome of a run in one line, and what goes with it. */
interface Judgement {
  readonly outcome: Outcome;
  readonly headline: string;
  readonly details: readonly string[];
}

export function judge(run: Pick<RunResult, 'promises' | 'gaps' | 'is_interrupted'>): Judgement {
  const { expected, delivered, ended } = run.promises;
  const { outcome, reasons } = judgeRun(run);
  const until = run.is_interrupted ? ' until the interruption' : '';
  const headline = {
    passed: `Passed: every promise kept${until}`,
    failed: `Failed: ${reasons.join(', ')}`,
    void: `Void, proves nothing: ${reasons.join(', ')}`,
  };
  const kept = ['none lost', 'in order', 'no unexplained duplicates', 'every signature valid'];
  return {
    outcome,
    headline: headline[outcome],
    details: [
      `${count(delivered)} of ${count(expected)} delivered`,
      ...(outcome === 'passed' ? kept : []),
      ...Object.entries(ended).map(([reason, number]) => `${count(number)} ended as ${reason}`),
      ...(run.is_interrupted ? ['interrupted early: the numbers cover what had happened by then'] : []),
    ],
  };
}
