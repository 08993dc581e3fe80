import { sum } from '../../statistics/sum.ts';
import { fill } from './fill.ts';
import type { Parameters } from './parameters.ts';
import type { Scenario } from './scenario.ts';

/** The script that Artillery runs. */
export function artilleryScript({ artillery }: Pick<Scenario, 'artillery'>, parameters: Parameters) {
  const phases = fill(artillery.phases, parameters);
  const baseline = Number(parameters.baseline ?? 0);
  return {
    config: {
      // The HTTP engine runs the flow, but never requests this target.
      target: 'http://127.0.0.1:9',
      // The baseline sends at the rate of the first phase.
      phases: [
        ...(baseline === 0 ? [] : [{ ...phases[0], name: 'baseline', duration: baseline }]),
        ...phases,
      ] as typeof phases,
    },
    scenarios: [{ flow: artillery.flow }],
  };
}
export type ArtilleryScript = ReturnType<typeof artilleryScript>;

/** Seconds of sending when nothing slows it down. */
export function plannedSeconds({ config: { phases } }: ArtilleryScript): number {
  return sum(phases.map(({ duration = 0, pause = 0 }) => Number(duration) + Number(pause)));
}

/** Payments that are due over all phases; users that start others in a loop start at least as many. */
export function plannedPayments({ config: { phases } }: ArtilleryScript): number {
  return sum(
    phases.map(({ duration = 0, arrivalRate = 0, arrivalCount }) =>
      Number(arrivalCount ?? Number(duration) * Number(arrivalRate)),
    ),
  );
}
