import * as z from 'zod';
import { commandOptions, numberOption } from '../../cli/terminal/command-options.ts';

export const PROFILE_HELP = `What our code does for a delivery, seen from inside. Needs the local stack (npm run local).

  npm run profile -- calls      one delivery, cold and warm: each call with its time, CPU, bundle, start
  npm run profile -- cost       calls, units and list price: full batches, each record alone, parked
  npm run profile -- deliver    deliver under load: a CPU profile and a flame graph
  npm run profile -- match      the same of match

  --seconds N     under load: how long (default: 20)
  --batch N       under load: messages in a batch (default: 10)
  --delay-ms N    how long the partner takes (default: 200; under load: 0)
  --json          of cost: what each function has used, as cli/operator/cost/measured/measured.json has it
  --out DIR       under load: where the files go (default: load-runs/profile)
  --help

The bundles that are deployed run in processes of their own, on this machine. DynamoDB is the local stack's; queues, bus and partner are stand-ins in
another process, so that batches are as large as asked for and nothing but our code is measured.
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

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault */
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
