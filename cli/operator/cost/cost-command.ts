import { PRICES_BY_REGION, USUAL_REGION } from '../../../lib/prices.ts';
import { STAGES } from '../../../payhooks.config.ts';
import type { Given } from '../../terminal/command.ts';
import { nameOption, numberOption, wholeNumberOption } from '../../terminal/option-kinds.ts';
import { DEPLOYED_STAGES, operatorCommand } from '../operator-command.ts';
import { costReport } from './cost-report.ts';
import { type Estimate, estimate, type Region } from './estimate.ts';
import type { resourcesOf } from './ground.ts';
import { readSimulated } from './measured/batch-sizes.ts';
import { readMeasured } from './measured/measured.ts';
import { polledFor } from './parts/pollers.ts';
import { type Way, waysOf } from './ways.ts';

const REGIONS = Object.keys(PRICES_BY_REGION) as Region[];
const OPTIONS = {
  'events-per-day': numberOption('payment events, spread evenly over the day', 0, 1e9, { default: '86400' }),
  subscriptions: numberOption('how many subscriptions want each event', 1, 100, { default: '1' }),
  'partner-ms': wholeNumberOption('how long a partner takes to answer', 0, 30_000, { default: '200' }),
  'body-bytes': wholeNumberOption('the size of the resource of a payment', 1, 16_384, { default: '1024' }),
  'failed-share': numberOption(
    'the share of webhooks whose first attempt fails and whose second succeeds',
    0,
    1,
    {
      default: '0.01',
    },
  ),
  partners: wholeNumberOption('subscriptions that are busy at the same time', 1, 1e6, { default: '100' }),
  region: nameOption(REGIONS, { default: USUAL_REGION }),
  stage: nameOption(DEPLOYED_STAGES, { default: 'prod' }),
  pollers: nameOption(['stage', 'match', 'both'], {
    default: 'stage',
    help: 'whose queue provisioned pollers for this traffic read: as the stage says, match, both (and deliver)',
  }),
  notices: { help: 'as if the stage sent notices to partners' },
} as const;

const ANY_SENDER = { sender: 'webhooks@example.com' };

export const cost = operatorCommand({
  name: 'cost',
  summary: 'Estimate what a stage costs in a month at list prices, idle and for some traffic',
  options: OPTIONS,
  example: '--events-per-day 1000000 --subscriptions 2',
  remarks:
    'It calls nothing: idle costs are counted from the templates of the stage, the use of a webhook was measured, the sizes of\nbatches were simulated. See docs/cost.md.',
  async run(given, { print }) {
    // CDK takes a second to load.
    const { resourcesOf } = await import('./ground.ts');
    const found = estimated(given, resourcesOf);
    print(costReport(found).trimEnd(), found);
    return true;
  },
});

export type CostOptions = Given<Record<never, never>, typeof OPTIONS>;

export function estimated(
  options: CostOptions,
  resources: typeof resourcesOf,
): Estimate & { readonly ways: readonly Way[] } {
  const traffic = {
    eventsPerDay: options['events-per-day'],
    subscriptions: options.subscriptions,
    partners: options.partners,
    partnerMs: options['partner-ms'],
    bodyBytes: options['body-bytes'],
    failedShare: options['failed-share'],
  };
  const asSet = { ...STAGES[options.stage], ...(options.notices ? { notices: ANY_SENDER } : {}) };
  const stage = options.pollers === 'stage' ? asSet : polledFor(asSet, options.pollers, traffic);
  const known = {
    settings: stage,
    resources: resources(stage),
    measured: readMeasured(),
    simulated: readSimulated(),
  };
  return {
    ...estimate(traffic, options.region, known),
    ways: waysOf(traffic, options.region, known),
  };
}
