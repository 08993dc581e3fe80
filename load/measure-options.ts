import * as z from 'zod';
import { commandOptions, numberOption } from '../local/command-options.ts';

export const MEASURE_HELP = `Measures time to send on the running local stack, with receivers that take their time.

  npm run measure -- [options]

  --payments N             how many payments (default: 600)
  --rate N                 how many start in a second (default: 20)
  --events-per-payment N   1 to 4 (default: 1)
  --services N             services with one subscription each, 1 to 20 (default: 5)
  --delay MIN-MAX          what a receiver takes, in ms (default: 100-2000)
  --warm-up SECONDS        traffic at twice the rate before, so that workers are up (default: 15)
  --json                   print one JSON object at the end and nothing else
  --help

Every delivery is matched with its event: a loss, a change of order or a repeat that no failed
attempt explains ends it with exit code 1.
`;

const optionsSchema = z.object({
  payments: numberOption(1, 100_000, { whole: true }),
  rate: numberOption(1, 1_000, { whole: true }),
  'events-per-payment': numberOption(1, 4, { whole: true }),
  services: numberOption(1, 20, { whole: true }),
  delay: z
    .string()
    .regex(/^\d+-\d+$/, 'must be a range in ms such as 100-2000')
    .transform((text) => text.split('-').map(Number) as [number, number])
    .refine(([least, most]) => least <= most && most <= 9_000, 'must rise, and end at 9000 at most'),
  'warm-up': numberOption(0, 300, { whole: true }),
  json: z.boolean(),
});
export type MeasureOptions = z.infer<typeof optionsSchema>;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault */
export function measureOptions(args: string[]): MeasureOptions | 'help' {
  const defaults = {
    payments: '600',
    rate: '20',
    'events-per-payment': '1',
    services: '5',
    delay: '100-2000',
    'warm-up': '15',
    json: false,
  } as const;
  return commandOptions(args, defaults, optionsSchema);
}
