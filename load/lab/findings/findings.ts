import type { Latencies, Period, Point, RunResult } from '../../results/run-result.ts';
import { perSecond } from './measured.ts';

/** What came of one cell; of most scenarios it is the whole. JSON, so that it can be kept when a run is interrupted. */
export interface Findings
  extends Pick<
    RunResult,
    | 'promises'
    | 'attempts'
    | 'groups'
    | 'remarks'
    | 'started_at'
    | 'seconds'
    | 'cost'
    | 'work'
    | 'best'
    | 'empty'
    | 'periods'
  > {
  /** Events that were put on the bus, and for how long. */
  readonly sent: number;
  readonly sending_seconds: number;
  readonly latencies: Latencies;
  readonly second_width: number;
  readonly points: readonly Point[];
  readonly is_interrupted: boolean;
}

/** Cells one after another as one run. Their percentiles stay apart: a mixture of them says nothing. */
export function together(cells: readonly Findings[]): Findings {
  const [first] = cells;
  if (first === undefined) {
    throw new Error('there is no cell');
  }
  if (cells.length === 1) {
    return first;
  }
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
    seconds: cells.reduce((sum, cell) => sum + cell.seconds, 0),
    sent: cells.reduce((sum, cell) => sum + cell.sent, 0),
    sending_seconds: cells.reduce((sum, cell) => sum + cell.sending_seconds, 0),
    promises: {
      expected: sum('expected'),
      delivered: sum('delivered'),
      lost: sum('lost'),
      order_violations: sum('order_violations'),
      repeats: sum('repeats'),
      invalid_signatures: sum('invalid_signatures'),
      refused: cells.reduce((total, { promises }) => total + (promises.refused ?? 0), 0),
      ended: added(cells.map(({ promises }) => promises.ended)),
    },
    attempts: added(cells.map(({ attempts }) => attempts)),
    groups: cells.flatMap(({ groups }) => groups),
    latencies: {},
    second_width: width,
    points,
    ...(periods.length === 0 ? {} : { periods }),
    is_interrupted: cells.some(({ is_interrupted }) => is_interrupted),
    remarks: [...new Set(cells.flatMap(({ remarks }) => remarks)), 'Percentiles are given by cell.'],
  };

  function sum(
    name: 'expected' | 'delivered' | 'lost' | 'order_violations' | 'repeats' | 'invalid_signatures',
  ) {
    return cells.reduce((total, { promises }) => total + promises[name], 0);
  }
}

/** Counts by name, all together. */
export function added(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries) as [string, number][]) {
    all[name] = (all[name] ?? 0) + count;
  }
  return all;
}

/** The result as it is written and shown. */
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
    points: [...findings.points],
    remarks: [...given.remarks, ...remarks],
  };
}

/** What of the promises was broken; empty: nothing. */
export function brokenPromises({ promises }: Pick<RunResult, 'promises'>): string[] {
  const { lost, order_violations, repeats, invalid_signatures } = promises;
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(order_violations > 0 ? [`${order_violations} out of order`] : []),
    ...(repeats > 0 ? [`${repeats} repeated without a reason`] : []),
    ...(invalid_signatures > 0 ? [`${invalid_signatures} with an invalid signature`] : []),
  ];
}
