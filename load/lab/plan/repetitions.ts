import type { Repetition, RunResult } from '../../results/run-result.ts';
import { repetitionSchema } from '../../results/run-result.ts';
import { medians } from '../../statistics/median.ts';
import { spreadOf } from '../findings/figures.ts';
import { added } from '../findings/findings.ts';
import { middleBest } from './best.ts';

/**
 * Several runs of the same as one result. Promises and attempts are those of all of them; every other number is the median of those that got to their end;
 * what is drawn over time is the run in the middle.
 *
 * @param remarks of the scenario, which are said once
 */
export function repeated(runs: readonly RunResult[], remarks: readonly string[]): RunResult {
  const [first] = runs;
  if (first === undefined) {
    throw new Error('there is no run');
  }
  const repetitions = runs.map((run) => repetitionOf(run, remarks));
  const whole = repetitions.filter(({ is_interrupted }) => !is_interrupted);
  const counted = whole.length > 0 ? whole : repetitions;
  const middle = middleOf(counted);
  const best = middleBest(counted);
  const {
    remarks: _,
    points: __,
    ...numbers
  } = medians(counted.map(({ promises, attempts, ...rest }) => rest));
  return {
    ...first,
    ...numbers,
    ...(best === undefined ? {} : { best }),
    started_at: first.started_at,
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    is_interrupted: runs.some(({ is_interrupted }) => is_interrupted),
    promises: {
      ...(added(runs.map(({ promises: { ended, ...counts } }) => counts)) as Omit<
        RunResult['promises'],
        'ended'
      >),
      ended: added(runs.map(({ promises }) => promises.ended)),
    },
    attempts: added(runs.map(({ attempts }) => attempts)),
    second_width: middle.second_width,
    points: middle.points,
    periods: middle.periods,
    spread: spreadOf(counted),
    repetitions,
    remarks: [
      ...remarks,
      `Each number is the median of ${counted.length} repetitions; promises and attempts are those of all ${runs.length}. Drawn over time is repetition ${repetitions.indexOf(middle) + 1}, the one in the middle.`,
      ...repetitions.flatMap((one, index) =>
        one.remarks.map((remark) => `Repetition ${index + 1}: ${remark}`),
      ),
    ],
  };
}

function repetitionOf(run: RunResult, remarks: readonly string[]): Repetition {
  const said = new Set(remarks);
  return repetitionSchema.parse({ ...run, remarks: run.remarks.filter((remark) => !said.has(remark)) });
}

/** By its 99th percentile of time to send, or where there is none by its throughput; the worse of two. */
function middleOf(runs: readonly Repetition[]): Repetition {
  const of = ({ latencies, delivered_per_second }: Repetition) =>
    latencies.time_to_send?.p99 ?? -delivered_per_second;
  const sorted = [...runs].sort((a, b) => of(a) - of(b));
  return sorted[sorted.length >> 1] as Repetition;
}
