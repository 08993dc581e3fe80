import { parseArgs } from 'node:util';
import * as z from 'zod';
import { serviceIdSchema } from '../functions/core/api-token.ts';
import { STAGES } from '../lib/stages.ts';
import { ExplainedError } from './explained-error.ts';

const stages = Object.keys(STAGES);

export const SEND_HELP = `Puts sample payments on the bus.

  npm run send -- [options]

  --payments N             how many payments, 1 to 100000 (default: 10)
  --rate N                 how many start in a second, 0.1 to 1000 (default: 10)
  --events-per-payment N   1 to 20, or a range such as 2-4 (default: 3)
  --service ID             whose payments (default: demo)
  --stage NAME             ${stages.join(', ')} (default: local)
  --json                   print one JSON object at the end and nothing else
  --help

The first four events of a payment are its life: started, succeeded, captured, settled.
What follows are partial refunds.
`;

const number = (least: number, most: number, whole: boolean) =>
  z
    .string()
    .transform(Number)
    .refine(
      (value) => value >= least && value <= most && (!whole || Number.isInteger(value)),
      `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
    );

const eventCount = z
  .string()
  .regex(/^\d+(-\d+)?$/, 'must be a number such as 3, or a range such as 2-4')
  .transform((text) => {
    const [least = 0, most = least] = text.split('-').map(Number);
    return { least, most };
  })
  .refine(
    ({ least, most }) => least >= 1 && least <= most && most <= 20,
    'must lie within 1 to 20, the lesser first',
  );

const optionsSchema = z.object({
  payments: number(1, 100_000, true),
  rate: number(0.1, 1_000, false),
  'events-per-payment': eventCount,
  service: serviceIdSchema,
  stage: z.string().refine((name) => stages.includes(name), `must be one of ${stages.join(', ')}`),
  json: z.boolean(),
});

export type SendOptions = z.infer<typeof optionsSchema>;

/**
 * What was asked of the command; `help` when that was asked for.
 *
 * @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault
 */
export function sendOptions(args: string[]): SendOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      payments: { type: 'string', default: '10' },
      rate: { type: 'string', default: '10' },
      'events-per-payment': { type: 'string', default: '3' },
      service: { type: 'string', default: 'demo' },
      stage: { type: 'string', default: 'local' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const options = optionsSchema.safeParse(values);
  if (!options.success) {
    const faults = options.error.issues.map(({ path, message }) => `--${path[0]?.toString()}: ${message}`);
    throw new ExplainedError(faults.join('\n'));
  }
  return options.data;
}
