import * as z from 'zod';
import { commandOptions, numberOption } from '../../cli/terminal/command-options.ts';

export const PROFILE_HELP = `Profiles what our code does for a delivery. Needs the local stack (npm run local).

  npm run load -- profile calls      one delivery, cold and warm: its calls, CPU, bundles and start
  npm run load -- profile cost       calls, units and list price: full batches, each record alone, parked
  npm run load -- profile deliver    deliver under load: a CPU profile and a flame graph
  npm run load -- profile match      match under load: the same

  --seconds N     under load: how long (default: 20)
  --batch N       under load: messages per batch (default: 10)
  --delay-ms N    how long the partner takes (default: 200; under load: 0)
  --json          cost only: usage of each function, in the format of cli/operator/cost/measured/measured.json
  --out DIR       under load: where the files go (default: load-runs/profile)
  --help

The deployed bundles run in their own processes on this machine. DynamoDB is the local stack's; queues, bus and
partner are stand-ins in another process, so that batches have the requested size and only our code is measured.
`;

const optionsSchema = z.object({
  what: z.enum(['calls', 'cost', 'deliver', 'match'], 'must be calls, cost, deliver or match'),
  seconds: numberOption(1, 600, { whole: true }),
  batch: numberOption(1, 10, { whole: true }),
  'delay-ms': numberOption(0, 9_000, { whole: true }).optional(),
  out: z.string().optional(),
  json: z.boolean(),
});
export type ProfileOptions = z.infer<typeof optionsSchema>;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each invalid option */
export function profileOptions(args: string[]): ProfileOptions | 'help' {
  const defaults = {
    seconds: '20',
    batch: '10',
    'delay-ms': undefined,
    out: undefined,
    json: false,
  } as const;
  return commandOptions(args, defaults, optionsSchema, ['what']);
}
