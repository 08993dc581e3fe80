import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ExplainedError } from './explained-error.ts';

/** What an option is when it is not given: a text, false for a flag, undefined for none. */
type Defaults = Readonly<Record<string, string | false | undefined>>;

/**
 * The options of a command, read and checked; `help` when that was asked for.
 *
 * @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault
 */
export function commandOptions<Schema extends z.ZodType>(
  args: string[],
  defaults: Defaults,
  schema: Schema,
): z.infer<Schema> | 'help' {
  const options = Object.entries(defaults).map(([name, byDefault]) => [
    name,
    {
      type: byDefault === false ? 'boolean' : 'string',
      ...(byDefault === undefined ? {} : { default: byDefault }),
    } as const,
  ]);
  const wanted = { ...Object.fromEntries(options), help: { type: 'boolean' } as const };
  const values: Readonly<Record<string, unknown>> = parseArgs({ args, options: wanted }).values;
  if (values.help) {
    return 'help';
  }
  const read = schema.safeParse(values);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `--${path[0]?.toString()}: ${message}`);
    throw new ExplainedError(faults.join('\n'));
  }
  return read.data;
}

/** A number within bounds, written as text. */
export function numberOption(least: number, most: number, { whole }: { readonly whole: boolean }) {
  return z
    .string()
    .transform(Number)
    .refine(
      (value) => value >= least && value <= most && (!whole || Number.isInteger(value)),
      `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
    );
}
