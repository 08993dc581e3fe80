import * as z from 'zod';
import type { STAGES } from '../../../lib/stages.ts';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions } from '../../terminal/command-options.ts';
import { CHECK_NAMES } from './all-checks.ts';

type StageName = keyof typeof STAGES;

export const DOCTOR_HELP = `Looks a stage over from outside: is it there whole, does a payment go all the way, does anything wait or fail, and is it
set as it should be?

  npm run doctor -- [options]

  --stage NAME   ${STAGE_NAMES.join(', ')} (default: local)
  --only LIST    these checks alone, joined by commas
  --json         print one JSON object and nothing else
  --help

Checks: ${CHECK_NAMES.join(', ')}

end-to-end makes a token and a subscription of the service doctor, puts one event of a payment that nobody made on the bus, and takes
token and subscription away again. All other checks only look. It runs with your AWS credentials; docs/doctor.md tells what they need.

Exit code 0: nothing failed; 1: something failed, or could not be checked; 2: it could not be run at all.
`;

const optionsSchema = z.object({
  stage: z
    .enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`)
    .transform((name) => name as StageName),
  only: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .refine(
      (names) => names.every((name) => CHECK_NAMES.includes(name)),
      `must be of ${CHECK_NAMES.join(', ')}, joined by commas`,
    )
    .optional(),
  json: z.boolean(),
});
export type DoctorOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = { stage: 'local', only: undefined, json: false } as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function doctorOptions(args: string[]): DoctorOptions | 'help' {
  return commandOptions(args, DEFAULTS, optionsSchema);
}
