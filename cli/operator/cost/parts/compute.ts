import type { Stage } from '../../../../lib/stage.ts';
import { eventsPerSecond, messagesPerMonth, type Traffic } from '../traffic.ts';

/** The stage on managed instances, with the network that these need: two NAT gateways unless it has some. */
export function onInstances(stage: Stage): Stage {
  return {
    ...stage,
    compute: 'managed-instances',
    fixedAddresses: stage.fixedAddresses ?? { natGateways: 2 },
  };
}

/** So much of some traffic. */
export interface Volume {
  readonly eventsPerSecond: number;
  readonly webhooksPerMonth: number;
}

/** A stage on managed instances beside the same one on Lambda. */
export interface OnLambda {
  /** For the same traffic, in US dollars. */
  readonly perMonth: number;
  /** Where instances cost less first. Absent when they do for no traffic that the command takes. */
  readonly instancesWin?: {
    readonly from: Volume;
    /** Beyond, batches are so full that Lambda's time costs less than NAT. @default - all the rest */
    readonly until?: Volume;
  };
}

const MAX_EVENTS_PER_DAY = 1e9;
const STEPS = 45;
/** Steps of a search that halves: within a thousandth. */
const CLOSE_ENOUGH = 1.001;

type PerMonth = (traffic: Traffic) => number;

/** Looked for in even steps of the logarithm, five for each power of ten, from one event a day on. */
export function besideLambda(traffic: Traffic, onLambda: PerMonth, onInstances: PerMonth): OnLambda {
  const withEvents = (eventsPerDay: number) => ({ ...traffic, eventsPerDay });
  const wins = (eventsPerDay: number) =>
    onInstances(withEvents(eventsPerDay)) < onLambda(withEvents(eventsPerDay));
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => MAX_EVENTS_PER_DAY ** (step / STEPS));
  const won = steps.map(wins);
  const turn = (after: number): Volume => {
    let [before, beyond] = [steps[after - 1] ?? steps[0]!, steps[after]!];
    while (beyond / before > CLOSE_ENOUGH) {
      const between = Math.sqrt(before * beyond);
      [before, beyond] = wins(between) === won[after] ? [before, between] : [between, beyond];
    }
    const there = withEvents(beyond);
    return { eventsPerSecond: eventsPerSecond(there), webhooksPerMonth: messagesPerMonth(there) };
  };
  const perMonth = onLambda(traffic);
  const first = won.indexOf(true);
  if (first < 0) {
    return { perMonth };
  }
  const last = won.indexOf(false, first);
  return {
    perMonth,
    instancesWin: { from: turn(first), ...(last < 0 ? {} : { until: turn(last) }) },
  };
}
