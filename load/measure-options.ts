import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ExplainedError } from '../local/explained-error.ts';

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

const whole = (least: number, most: number) =>
  z.coerce.number(`must be a whole number from ${least} to ${most}`).int().min(least).max(most);

const optionsSchema = z.object({
  payments: whole(1, 100_000),
  rate: whole(1, 1_000),
  'events-per-payment': whole(1, 4),
  services: whole(1, 20),
  delay: z
    .string()
    .regex(/^\d+-\d+$/, 'must be a range in ms such as 100-2000')
    .transform((text) => text.split('-').map(Number) as [number, number])
    .refine(([least, most]) => least <= most && most <= 9_000, 'must rise, and end at 9000 at most'),
  'warm-up': whole(0, 300),
  json: z.boolean(),
});
export type MeasureOptions = z.infer<typeof optionsSchema>;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault */
export function measureOptions(args: string[]): MeasureOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      payments: { type: 'string', default: '600' },
      rate: { type: 'string', default: '20' },
      'events-per-payment': { type: 'string', default: '1' },
      services: { type: 'string', default: '5' },
      delay: { type: 'string', default: '100-2000' },
      'warm-up': { type: 'string', default: '15' },
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
