import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ExplainedError } from './explained-error.ts';

/** What an option is when it is not given: a text, false for a flag, undefined for none. */
type Defaults = Readonly<Record<string, string | false | undefined>>;

/**
 * The options of a command, read and checked; `help` when that was asked for.
 *
 * @param positionals names of the arguments that are no options, all needed; the schema finds them under
 * these
 * @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault
 */
export function commandOptions<Schema extends z.ZodType>(
  args: string[],
  defaults: Defaults,
  schema: Schema,
  positionals: readonly string[] = [],
): z.infer<Schema> | 'help' {
  const options = Object.entries(defaults).map(([name, byDefault]) => [
    name,
    {
      type: byDefault === false ? 'boolean' : 'string',
      ...(byDefault === undefined ? {} : { default: byDefault }),
    } as const,
  ]);
  const wanted = { ...Object.fromEntries(options), help: { type: 'boolean' } as const };
  const given = parseArgs({ args, options: wanted, allowPositionals: positionals.length > 0 });
  const values: Readonly<Record<string, unknown>> = given.values;
  if (values.help) {
    return 'help';
  }
  if (given.positionals.length !== positionals.length) {
    const named = positionals.map((name) => `<${name}>`).join(' ');
    throw new ExplainedError(`needs ${named}; --help tells the rest`);
  }
  const read = schema.safeParse({
    ...values,
    ...Object.fromEntries(positionals.map((name, index) => [name, given.positionals[index]])),
  });
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `${positionals.includes(name) ? `<${name}>` : `--${name}`}: ${message}`;
    });
    throw new ExplainedError(faults.join('\n'));
  }
  return read.data;
}

/** A number within bounds, written as text. */
export function numberOption(least: number, max: number, { whole }: { readonly whole: boolean }) {
  return z
    .string()
    .transform(Number)
    .refine(
      (value) => value >= least && value <= max && (!whole || Number.isInteger(value)),
      `must be a ${whole ? 'whole ' : ''}number from ${least} to ${max}`,
    );
}
