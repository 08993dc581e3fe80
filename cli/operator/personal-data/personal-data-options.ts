import * as z from 'zod';
import { paymentEventSchema } from '../../../functions/core/event/event.ts';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions } from '../../terminal/command-options.ts';
import { confirmed } from '../../terminal/confirmed.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';

export const PERSONAL_DATA_HELP = `Shows all that is on record of a payment, and removes what was said of it.

  npm run personal-data -- export <service> <payment> [options]   print it as one JSON document
  npm run personal-data -- erase <service> <payment> [options]    remove bodies and what partners answered, for good

  <service>        id of the service, as payment events carry it in service_id
  <payment>        id of the payment, as they carry it in payment_id
  --out FILE       export: write the document to a new file that only you can read
  --yes            erase: do it; without it erase only says what it would do
  --ended-only     erase: also when messages of the payment still wait; those stay as they are
  --stage NAME     ${STAGE_NAMES.join(', ')} (default: local)
  --confirm NAME   needed with --yes on prod: prod once more
  --json           print one JSON object and nothing else
  --help

What is erased keeps its trail: ids, instants, states, status codes. It can be neither read nor sent any more. Dead letters,
records on their way and backups may hold bodies too: see docs/security.md. Exit code 1: something is left to be looked after.
`;

const optionsSchema = z.object({
  command: z.enum(['export', 'erase'], 'must be export or erase'),
  service: paymentEventSchema.shape.service_id,
  payment: paymentEventSchema.shape.payment_id,
  out: z.string().min(1, 'must be the name of a file').optional(),
  yes: z.boolean(),
  'ended-only': z.boolean(),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  confirm: z.string().optional(),
  json: z.boolean(),
});

export type PersonalDataOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = {
  out: undefined,
  yes: false,
  'ended-only': false,
  stage: 'local',
  confirm: undefined,
  json: false,
} as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function personalDataOptions(args: string[]): PersonalDataOptions | 'help' {
  const options = commandOptions(args, DEFAULTS, optionsSchema, ['command', 'service', 'payment']);
  if (options === 'help') {
    return options;
  }
  if (options.command === 'export' && (options.yes || options['ended-only'])) {
    throw new ExplainedError('--yes, --ended-only: export changes nothing; they are for erase');
  }
  if (options.command === 'erase' && options.out !== undefined) {
    throw new ExplainedError('--out: erase writes no file; it is for export');
  }
  confirmed('personal-data', options);
  return options;
}
