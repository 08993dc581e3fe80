import { STAGES, type Stage } from '../../../lib/stages.ts';
import { COST_HELP, costOptions } from './cost-options.ts';
import { costReport } from './cost-report.ts';
import { type Estimate, estimate } from './estimate.ts';
import { readSimulated } from './measured/batch-sizes.ts';
import { readMeasured } from './measured/measured.ts';
import { besideLambda, onInstances } from './parts/compute.ts';
import type { resourcesOf } from './template.ts';
import type { Traffic } from './traffic.ts';

interface CostSurroundings {
  print(text: string): void;
  /** What a stage is made of. */
  readonly resources: typeof resourcesOf;
}

export function costCommand(args: string[], { print, resources }: CostSurroundings): void {
  const options = costOptions(args);
  if (options === 'help') {
    print(COST_HELP);
    return;
  }
  const stage = STAGES[options.stage];
  const traffic = {
    eventsPerDay: options['events-per-day'],
    subscriptions: options.subscriptions,
    partners: options.partners,
    partnerMs: options['partner-ms'],
    bodyBytes: options['body-bytes'],
    failedShare: options['failed-share'],
  };
  const figures = { measured: readMeasured(), simulated: readSimulated() };
  const estimating = (settings: Stage) => {
    const known = { settings, resources: resources(settings), ...figures };
    return (some: Traffic) => estimate(some, options.region, known);
  };
  const onLambda = estimating(stage);
  const found =
    options.compute === 'lambda'
      ? onLambda(traffic)
      : both(traffic, onLambda, estimating(onInstances(stage)));
  print(options.json ? `${JSON.stringify(found)}\n` : costReport(found));
}

type Estimating = (traffic: Traffic) => Estimate;

function both(traffic: Traffic, onLambda: Estimating, onInstances: Estimating): Estimate {
  const perMonth = (estimating: Estimating) => (some: Traffic) => {
    const { idle, traffic } = estimating(some).total;
    return idle + traffic;
  };
  return {
    ...onInstances(traffic),
    onLambda: besideLambda(traffic, perMonth(onLambda), perMonth(onInstances)),
  };
}
