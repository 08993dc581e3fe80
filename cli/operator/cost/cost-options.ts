import * as z from 'zod';
import { PRICES_BY_REGION, USUAL_REGION } from '../../../lib/prices.ts';
import { STAGES } from '../../../lib/stages.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import type { Region } from './estimate.ts';

const DEPLOYED = Object.values(STAGES)
  .filter(({ emulated }) => !emulated)
  .map(({ name }) => name as keyof typeof STAGES);
const REGIONS = Object.keys(PRICES_BY_REGION) as Region[];

export const COST_HELP = `What a stage costs in a month at list prices, by service: idle, and for some traffic.

  npm run cost -- [options]

  --events-per-day N    payment events, evenly over the day, 0 to 1000000000 (default: 86400, one a second)
  --subscriptions N     that want each event, 1 to 100 (default: 1)
  --partner-ms N        how long a partner takes to answer (default: 200)
  --body-bytes N        of a payment's resource, 1 to 16384 (default: 1024)
  --failed-share N      of webhooks whose first attempt fails and whose second does not, 0 to 1 (default: 0.01)
  --partners N          subscriptions that are busy at the same time (default: 100)
  --region NAME         ${REGIONS.join(', ')} (default: ${USUAL_REGION})
  --stage NAME          ${DEPLOYED.join(', ')} (default: prod)
  --compute NAME        lambda, or managed-instances, beside which Lambda is told (default: lambda)
  --json                print one JSON object and nothing else
  --help

It asks nobody: what is idle is counted in the stage's templates, what a webhook uses was measured, how many share a batch was simulated: docs/cost.md.
`;

const optionsSchema = z.object({
  'events-per-day': numberOption(0, 1e9, { whole: false }),
  subscriptions: numberOption(1, 100, { whole: false }),
  'partner-ms': numberOption(0, 30_000, { whole: true }),
  'body-bytes': numberOption(1, 16_384, { whole: true }),
  'failed-share': numberOption(0, 1, { whole: false }),
  partners: numberOption(1, 1e6, { whole: true }),
  region: z.enum(REGIONS, `there are no prices of it; there are those of ${REGIONS.join(', ')}`),
  stage: z.enum(DEPLOYED, `there is none of that name to deploy; there is ${DEPLOYED.join(', ')}`),
  compute: z.enum(['lambda', 'managed-instances'], 'must be lambda or managed-instances'),
  json: z.boolean(),
});
export type CostOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = {
  'events-per-day': '86400',
  subscriptions: '1',
  'partner-ms': '200',
  'body-bytes': '1024',
  'failed-share': '0.01',
  partners: '100',
  region: USUAL_REGION,
  stage: 'prod',
  compute: 'lambda',
  json: false,
} as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function costOptions(args: string[]): CostOptions | 'help' {
  return commandOptions(args, DEFAULTS, optionsSchema);
}
