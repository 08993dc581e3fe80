import { parseArgs } from 'node:util';
import { ExplainedError } from '../terminal/explained-error.ts';
import type { Command, Given, Option } from './command.ts';

/** Options that every command has. */
export const COMMON: Readonly<Record<string, Option>> = {
  json: { help: "print the API's answer as JSON, one line" },
  help: { help: 'explain the command' },
};

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function readArguments({ name, takes, options = {} }: Command, args: readonly string[]): Given {
  const wanted = Object.entries({ ...options, ...COMMON }).map(([option, { value, isList = false }]) => [
    option,
    { type: value === undefined ? 'boolean' : 'string', multiple: isList } as const,
  ]);
  const parsed = parseArgs({
    args: [...args],
    options: Object.fromEntries(wanted),
    allowPositionals: true,
  });
  const { positionals } = parsed;
  const values: Readonly<Record<string, unknown>> = parsed.values;
  if (positionals.length !== takes.length && values.help !== true) {
    const named = takes.map((argument) => `<${argument}>`).join(' ') || 'no arguments';
    throw new ExplainedError(`${name} takes ${named}; npm run webhooks -- ${name} --help tells the rest`);
  }
  for (const [index, text] of positionals.entries()) {
    // It becomes part of a path, where dots and slashes would lead elsewhere; a callback URL does not.
    if (takes[index] !== 'callback-url' && !/^[A-Za-z0-9_-]+$/.test(text)) {
      throw new ExplainedError(`<${takes[index]}>: ${JSON.stringify(text)} is not an id`);
    }
  }
  return {
    named: Object.fromEntries(takes.map((argument, index) => [argument, positionals[index] ?? ''])),
    text: (option) => values[option] as string | undefined,
    list: (option) => values[option] as string[] | undefined,
    flag: (option) => values[option] === true,
  };
}

/**
 * A number that was typed; undefined when none was. Its bounds are the API's matter.
 *
 * @throws ExplainedError
 */
export function numberOf(given: Given, option: string): number | undefined {
  const text = given.text(option);
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new ExplainedError(`--${option}: must be a number, not ${JSON.stringify(text)}`);
  }
  return value;
}
