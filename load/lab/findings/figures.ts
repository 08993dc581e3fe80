import type { Group, Latencies, Repetition, Spread } from '../../results/run-result.ts';
import { median } from '../../statistics/median.ts';

type Unit = Spread['unit'];
type Figure = Pick<Spread, 'name' | 'unit'> & { readonly value: number };

/** The figures that a run is judged by, in reading order. Figures that were not measured are left out. */
export function figuresOf(run: Repetition): Figure[] {
  const { latencies, groups, work, cost } = run;
  const figures: (readonly [name: string, unit: Unit, value: number | undefined])[] = [
    ...(['p50', 'p90', 'p95', 'p99', 'max'] as const).map(
      (one) => [`time to send ${one}`, 'ms', latencies.time_to_send?.[one]] as const,
    ),
    ...ends('empty pipeline', run.empty),
    ...ends('ordering wait', latencies.behind_earlier),
    ...ends('held', latencies.held),
    ...ends('attempts', latencies.attempt),
    ...ends('time to acknowledge', latencies.whole),
    ['offered', 'a second', run.offered_per_second],
    ['delivered', 'a second', run.delivered_per_second],
    ...(groups.length > 1 ? groups.flatMap(ofGroup) : []),
    ['list price of a million', 'dollars', cost?.per_million],
    ['AWS calls per delivery', '', cost?.calls_per_delivery],
    ['CPU per delivery', 'ms', work?.cpu_ms_per_delivery],
    ['event-loop delay p99', 'ms', work?.event_loop_delay_ms_p99],
  ];
  return figures.flatMap(([name, unit, value]) => (value === undefined ? [] : [{ name, unit, value }]));
}

function ends(name: string, of: Latencies['held']) {
  return (['p50', 'p99'] as const).map((one) => [`${name} ${one}`, 'ms', of?.[one]] as const);
}

function ofGroup({ name, latencies, before, during, isolation, ...group }: Group) {
  const toSend = { ...(before === undefined ? { '': latencies } : { before, during }) };
  return [
    ...Object.entries(toSend).flatMap(([when, of]) =>
      ends(`${name}, time to send${when && ` ${when}`}`, of?.time_to_send),
    ),
    [`${name}, p99 during / before`, 'times', isolation] as const,
    [`${name}, delivered`, 'a second', group.delivered_per_second] as const,
  ];
}

/** Each figure across several runs: median, range and each value. */
export function spreadOf(runs: readonly Repetition[]): Spread[] {
  const all = runs.map(figuresOf);
  const known = new Map(all.flat().map(({ name, unit }) => [name, unit]));
  return [...known].map(([name, unit]) => {
    const each = all.map((figures) => figures.find((figure) => figure.name === name)?.value ?? null);
    const values = each.filter((value) => value !== null);
    return {
      name,
      unit,
      median: median(values),
      least: Math.min(...values),
      most: Math.max(...values),
      each,
    };
  });
}
