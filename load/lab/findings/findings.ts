import type { Period, Point, Repetition, RunResult } from '../../results/run-result.ts';
import { sum, sumByName } from '../../statistics/sum.ts';
import { perSecond } from './measurements.ts';

/** The result of one cell; most scenarios have only one. JSON, so that an interrupted run can keep it. */
export interface Findings extends Omit<Repetition, 'offered_per_second' | 'delivered_per_second'> {
  /** Events put on the bus, and for how long. */
  readonly sent: number;
  readonly sending_seconds: number;
}

/**
 * Joins cells into one run, one after another. Their percentiles stay separate: mixing them would say
 * nothing.
 */
export function combineCells(cells: readonly Findings[]): Findings {
  const [first] = cells;
  if (first === undefined) throw new Error('no cells');
  if (cells.length === 1) return first;
  const width = Math.max(...cells.map(({ second_width }) => second_width));
  let seconds = 0;
  const points: Point[] = [];
  const periods: Period[] = [];
  for (const cell of cells) {
    points.push(...cell.points.map((point) => ({ ...point, at_seconds: point.at_seconds + seconds })));
    for (const { from_seconds, to_seconds, ...period } of cell.periods ?? []) {
      periods.push({ ...period, from_seconds: from_seconds + seconds, to_seconds: to_seconds + seconds });
    }
    seconds += Math.ceil(cell.seconds / width) * width;
  }
  return {
    started_at: first.started_at,
    seconds: sum(cells.map((cell) => cell.seconds)),
    sent: sum(cells.map((cell) => cell.sent)),
    sending_seconds: sum(cells.map((cell) => cell.sending_seconds)),
    promises: sumPromises(cells),
    gaps: cells.flatMap(({ gaps }) => gaps),
    attempts: sumByName(cells.map(({ attempts }) => attempts)),
    groups: cells.flatMap(({ groups }) => groups),
    latencies: {},
    second_width: width,
    points,
    ...(periods.length === 0 ? {} : { periods }),
    is_interrupted: cells.some(({ is_interrupted }) => is_interrupted),
    remarks: [...new Set(cells.flatMap(({ remarks }) => remarks)), 'Percentiles are reported by cell.'],
  };
}

/** The promises of several cells or repetitions, added up. */
export function sumPromises(runs: readonly Pick<RunResult, 'promises'>[]): RunResult['promises'] {
  const counts = sumByName(runs.map(({ promises: { ended, ...one } }) => one)) as Omit<
    RunResult['promises'],
    'ended'
  >;
  return { ...counts, ended: sumByName(runs.map(({ promises }) => promises.ended)) };
}

/** The result as stored and reported. */
export function resultOf(
  findings: Findings,
  given: Pick<
    RunResult,
    'run_id' | 'scenario' | 'title' | 'source' | 'command' | 'stage' | 'machine' | 'parameters'
  > & { readonly remarks: readonly string[] },
): RunResult {
  const { sent, sending_seconds, is_interrupted, remarks, ...rest } = findings;
  return {
    v: 1,
    ...given,
    ...rest,
    is_interrupted,
    offered_per_second: perSecond(sent, sending_seconds),
    delivered_per_second: perSecond(findings.promises.delivered, findings.seconds),
    remarks: [...given.remarks, ...remarks],
  };
}
