import { STAGES } from '../../lib/stages.ts';
import { readSimulated } from './batch-sizes.ts';
import { COST_HELP, costOptions } from './cost-options.ts';
import { costReport } from './cost-report.ts';
import { estimate } from './estimate.ts';
import { readMeasured } from './measured.ts';
import type { resourcesOf } from './template.ts';

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
  const settings = STAGES[options.stage];
  const traffic = {
    eventsPerDay: options['events-per-day'],
    subscriptions: options.subscriptions,
    partners: options.partners,
    partnerMs: options['partner-ms'],
    bodyBytes: options['body-bytes'],
    failedShare: options['failed-share'],
  };
  const found = estimate(traffic, options.region, {
    settings,
    resources: resources(settings),
    measured: readMeasured(),
    simulated: readSimulated(),
  });
  print(options.json ? `${JSON.stringify(found)}\n` : costReport(found));
}
