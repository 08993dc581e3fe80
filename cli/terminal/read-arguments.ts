import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Argument, Command, Option } from './command.ts';
import { optionsOf, typedAs } from './command-help.ts';
import { ExplainedError } from './explained-error.ts';
import { nearest } from './nearest.ts';

type Values = Readonly<Record<string, unknown>> & { readonly json: boolean };

/**
 * What was typed behind the name of a command, checked.
 *
 * @param script what is typed before the name
 * @throws ExplainedError naming everything that was refused, what was expected, and where to read on
 */
export function readArguments<World>(
  command: Command<World>,
  script: string,
  args: readonly string[],
): Values | 'help' {
  const options = optionsOf(command);
  const { typed, positionals, refused } = tokensOf(options, args);
  if (typed.help === true) {
    return 'help';
  }
  const named = Object.entries(command.arguments ?? {});
  if (positionals.length !== named.length && refused.length === 0) {
    refused.push(miscounted(command, script, positionals));
  }
  const values: Record<string, unknown> = {};
  for (const [index, [name, argument]] of named.entries()) {
    const text = positionals[index];
    if (text !== undefined) {
      values[name] = checked(`<${name}>`, argument, text, refused);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    const text = typed[name] ?? option.default;
    if (text === undefined && option.required) {
      refused.push(`--${name} is needed: ${option.help}`);
    }
    values[name] =
      option.value === undefined
        ? text === true
        : text === undefined
          ? undefined
          : checked(`--${name}`, option, text, refused);
  }
  if (refused.length > 0) {
    throw new ExplainedError(
      [
        ...refused,
        `Example: ${typedAs(command, script, command.example)}`,
        `All about it: ${typedAs(command, script, '--help')}`,
      ].join('\n'),
    );
  }
  const given = values as Values;
  command.check?.(given);
  return given;
}

type Typed = Readonly<Record<string, string | true | readonly string[]>>;

function tokensOf(options: Readonly<Record<string, Option>>, args: readonly string[]) {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string' } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const typed: Record<string, string | true | string[]> = {};
  const refused: string[] = [];
  for (const token of tokens.filter(({ kind }) => kind === 'option')) {
    const { name, rawName, value, inlineValue } = token as Extract<typeof token, { kind: 'option' }>;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) {
      const meant = nearest(name, Object.keys(options));
      refused.push(`There is no option ${rawName}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`);
    } else if (option.value === undefined) {
      typed[name] = true;
      if (value !== undefined) {
        refused.push(`--${name} takes no value, not ${JSON.stringify(value)}`);
      }
    } else if (value === undefined || (!inlineValue && /^-./.test(value))) {
      refused.push(
        `--${name} needs a value; one that begins with a dash goes with =: --${name}=${option.value}`,
      );
    } else {
      typed[name] = option.isList ? [...((typed[name] as string[] | undefined) ?? []), value] : value;
    }
  }
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  return { typed: typed as Typed, positionals, refused };
}

function checked(name: string, { check }: Argument, text: unknown, refused: string[]): unknown {
  if (check === undefined) {
    return text;
  }
  const read = z.safeParse(check, text);
  refused.push(
    ...(read.error?.issues ?? []).map(({ message }) => `${name}: ${message}, not ${JSON.stringify(text)}`),
  );
  return read.data;
}

function miscounted<World>(command: Command<World>, script: string, positionals: readonly string[]): string {
  const given = positionals.length === 0 ? 'nothing was given' : `this was given: ${positionals.join(' ')}`;
  const needs = Object.keys(command.arguments ?? {}).map((name) => `<${name}>`);
  return `${command.name || script.replace(/ --$/, '')} ${needs.length === 0 ? 'takes no arguments' : `needs ${needs.join(' ')}`}; ${given}`;
}
