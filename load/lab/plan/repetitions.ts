import type { Repetition, RunResult } from '../../results/run-result.ts';
import { medians } from '../../statistics/median.ts';
import { sum, sumByName } from '../../statistics/sum.ts';
import { spreadOf } from '../findings/figures.ts';
import { sumPromises } from '../findings/findings.ts';

/**
 * Combines repetitions into one result. Promises and attempts are added up. Every other number is the median
 * of the complete repetitions. The charts show the middle repetition.
 *
 * @param remarks of the scenario, which appear once
 */
export function combineRepetitions(runs: readonly RunResult[], remarks: readonly string[]): RunResult {
  const [first] = runs;
  if (first === undefined) throw new Error('no runs');
  const repetitions = runs.map((run) => repetitionOf(run, remarks));
  const whole = repetitions.filter(({ is_interrupted }) => !is_interrupted);
  const counted = whole.length > 0 ? whole : repetitions;
  const middle = middleOf(counted);
  const {
    remarks: _,
    points: __,
    ...numbers
  } = medians(counted.map(({ promises, attempts, gaps, ...rest }) => rest));
  return {
    ...first,
    ...numbers,
    started_at: first.started_at,
    seconds: sum(runs.map(({ seconds }) => seconds)),
    is_interrupted: runs.some(({ is_interrupted }) => is_interrupted),
    promises: sumPromises(runs),
    gaps: runs.flatMap(({ gaps }, index) => gaps.map((gap) => `repetition ${index + 1}: ${gap}`)),
    attempts: sumByName(runs.map(({ attempts }) => attempts)),
    second_width: middle.second_width,
    points: middle.points,
    periods: middle.periods,
    spread: spreadOf(counted),
    repetitions,
    remarks: [
      ...remarks,
      `Each number is the median of ${counted.length} repetitions; promises and attempts add up all ${runs.length}. Charts over time show repetition ${repetitions.indexOf(middle) + 1}, the middle one.`,
      ...repetitions.flatMap((one, index) =>
        one.remarks.map((remark) => `Repetition ${index + 1}: ${remark}`),
      ),
    ],
  };
}

function repetitionOf(run: RunResult, remarks: readonly string[]): Repetition {
  const { v, run_id, scenario, title, source, command, stage, machine, parameters, ...own } = run;
  const said = new Set(remarks);
  return { ...own, remarks: run.remarks.filter((remark) => !said.has(remark)) };
}

/** By p99 of time to send, or by throughput without it; of two in the middle, the worse. */
function middleOf(runs: readonly Repetition[]): Repetition {
  const of = ({ latencies, delivered_per_second }: Repetition) =>
    latencies.time_to_send?.p99 ?? -delivered_per_second;
  const sorted = [...runs].sort((a, b) => of(a) - of(b));
  return sorted[sorted.length >> 1] as Repetition;
}
