import * as z from 'zod';
import { STAGES } from '../../../lib/stages.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';

const DEPLOYED = Object.values(STAGES)
  .filter(({ emulated }) => !emulated)
  .map(({ name }) => name as keyof typeof STAGES);

export const PREFLIGHT_HELP = `Looks before a deployment whether the account and the region have what a stage takes, and says how to ask for what is missing.

  npm run preflight -- [options]

  --stage NAME            ${DEPLOYED.join(', ')} (default: dev)
  --events-per-second N   what it is to carry, 1 to 100000 (default: 100)
  --json                  print one JSON object and nothing else
  --help

It changes nothing. It runs with your AWS credentials, in the region that the stage says (lib/stages.ts) or else in yours, and needs lambda:GetAccountSettings,
cloudformation:DescribeStacks, DescribeStackResources and DescribeType, iam:SimulatePrincipalPolicy.

Exit code 0: nothing is missing; 1: something is, or could not be checked; 2: it could not be run at all.
`;

const optionsSchema = z.object({
  stage: z.enum(DEPLOYED, `there is none of that name to deploy; there is ${DEPLOYED.join(', ')}`),
  'events-per-second': numberOption(1, 100_000, { whole: true }),
  json: z.boolean(),
});
export type PreflightOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = { stage: 'dev', 'events-per-second': '100', json: false } as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function preflightOptions(args: string[]): PreflightOptions | 'help' {
  return commandOptions(args, DEFAULTS, optionsSchema);
}
