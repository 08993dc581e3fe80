import * as z from 'zod';
import { serviceIdSchema } from '../../functions/core/api/api-token.ts';
import { STAGES } from '../../lib/stages.ts';
import { commandOptions, numberOption } from '../terminal/command-options.ts';
import { confirmedWhereReal } from '../terminal/confirmed.ts';

const stages = Object.keys(STAGES);

export const SEND_HELP = `Puts sample payments on the bus.

  npm run send -- [options]

  --payments N             how many payments, 1 to 100000 (default: 10)
  --rate N                 how many start in a second, 0.1 to 1000 (default: 10)
  --events-per-payment N   1 to 20, or a range such as 2-4 (default: 3)
  --service ID             whose payments (default: demo)
  --stage NAME             ${stages.join(', ')} (default: local)
  --yes                    needed on prod, where the payments would be told to partners, with --confirm prod
  --confirm NAME           needed with --yes on prod: prod once more
  --json                   print one JSON object at the end and nothing else
  --help

The first four events of a payment are its life: started, succeeded, captured, settled.
What follows are partial refunds.
`;

const eventCount = z
  .string()
  .regex(/^\d+(-\d+)?$/, 'must be a number such as 3, or a range such as 2-4')
  .transform((text) => {
    const [min = 0, max = min] = text.split('-').map(Number);
    return { min, max };
  })
  .refine(({ min, max }) => min >= 1 && min <= max && max <= 20, 'must lie within 1 to 20, the lesser first');

const optionsSchema = z.object({
  payments: numberOption(1, 100_000, { whole: true }),
  rate: numberOption(0.1, 1_000, { whole: false }),
  'events-per-payment': eventCount,
  service: serviceIdSchema,
  stage: z.string().refine((name) => stages.includes(name), `must be one of ${stages.join(', ')}`),
  yes: z.boolean(),
  confirm: z.string().optional(),
  json: z.boolean(),
});

export type SendOptions = z.infer<typeof optionsSchema>;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault */
export function sendOptions(args: string[]): SendOptions | 'help' {
  const defaults = {
    payments: '10',
    rate: '10',
    'events-per-payment': '3',
    service: 'demo',
    stage: 'local',
    yes: false,
    confirm: undefined,
    json: false,
  } as const;
  const options = commandOptions(args, defaults, optionsSchema);
  if (options !== 'help') {
    confirmedWhereReal('send', options);
  }
  return options;
}
