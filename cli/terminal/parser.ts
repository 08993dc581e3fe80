import { Argument, InvalidArgumentError, Option, Command as Parser } from 'commander';
import * as z from 'zod';
import type { Argument as ArgumentSpec, Command, CommandSet, Option as OptionSpec } from './command.ts';

type Values = Parameters<Command<unknown>['run']>[0];
type Take<World> = (command: Command<World>, given: Values) => void;

const JSON_OUTPUT: OptionSpec = { help: 'print one JSON object in one line instead of text' };

/**
 * A set of commands as commander reads them.
 *
 * @param take gets the command that was typed, with what was given, checked
 * @param write gets help and errors
 */
export function parserOf<World>(
  set: CommandSet<World>,
  take: Take<World>,
  write: (text: string) => void,
): Parser {
  const parser = new Parser(set.script)
    .description(set.summary)
    .helpOption('--help', 'explain the command')
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: (text) => write(text.replace(/^error: /, '')),
    })
    .configureHelp({ subcommandTerm: (subcommand) => termOf(subcommand) })
    .showHelpAfterError(`All commands: ${set.script} --help`);
  if (set.remarks !== undefined) {
    parser.addHelpText('after', `\n${set.remarks}`);
  }
  for (const command of set.commands) {
    const [first = '', second] = command.name.split(' ');
    if (first === '') {
      addTo(parser, command, set.script, take);
    } else if (second === undefined) {
      addTo(parser.command(first), command, set.script, take);
    } else {
      addTo(groupOf(parser, first, set).command(second), command, set.script, take);
    }
    for (const synonym of command.synonyms ?? []) {
      addTo(parser.command(synonym, { hidden: true }), command, set.script, take);
    }
  }
  return parser;
}

function groupOf<World>(parser: Parser, name: string, { script, groups }: CommandSet<World>): Parser {
  return (
    parser.commands.find((group) => group.name() === name) ??
    parser
      .command(name)
      .description(groups?.[name] ?? '')
      .showHelpAfterError(`All commands: ${script} ${name} --help`)
  );
}

/** A command with its arguments, a group with its commands. */
function termOf(subcommand: Parser): string {
  const behind =
    subcommand.commands.length > 0
      ? [subcommand.commands.map((command) => command.name()).join('|')]
      : subcommand.registeredArguments.map((argument) => `<${argument.name()}>`);
  return [subcommand.name(), ...behind].join(' ');
}

function addTo<World>(parser: Parser, command: Command<World>, script: string, take: Take<World>): void {
  const typed = [script, command.name].filter(Boolean).join(' ');
  const example = `Example: ${typed} ${command.example}`.trimEnd();
  const named = Object.entries(command.arguments ?? {});
  const options = Object.entries({
    ...command.options,
    ...(command.isTextOnly ? {} : { json: JSON_OUTPUT }),
  });
  const also = command.synonyms === undefined ? [] : [`Also: ${command.synonyms.join(', ')}`];
  parser
    .summary(command.summary)
    .description(`${command.summary}.`)
    .addHelpText('before', `${example}\n`)
    .addHelpText(
      'after',
      ['', ...(command.remarks === undefined ? [] : [command.remarks]), ...also].join('\n'),
    )
    .showHelpAfterError(`${example}\nAll about it: ${typed} --help`);
  for (const [name, { help = '', check }] of named) {
    parser.addArgument(new Argument(`<${name}>`, help).argParser((text: string) => checked(check, text)));
  }
  const readers = options.map(([name, spec]) => {
    const option = optionOf(name, spec, parser);
    parser.addOption(option);
    const key = option.attributeName();
    return [name, (typed: Readonly<Record<string, unknown>>) => givenFor(option, typed[key])] as const;
  });
  parser.action(() => {
    const values = named.map(([name], index) => [name, parser.processedArgs[index]]);
    const given = Object.fromEntries([
      ...values,
      ...readers.map(([name, read]) => [name, read(parser.opts())]),
    ]) as Values;
    command.check?.(given);
    take(command, given);
  });
}

/** What was read: commander takes a null as an empty text. */
interface Boxed {
  readonly value: unknown;
}

function optionOf(name: string, spec: OptionSpec, parser: Parser): Option {
  if (spec.value === undefined) {
    return new Option(`--${name}`, spec.help);
  }
  const option = new Option(`--${name} <${spec.value}>`, spec.help)
    .makeOptionMandatory(spec.required === true)
    .argParser((text: string, before: Boxed | undefined): Boxed => {
      // Commander takes whatever follows as the value.
      if (parser.options.some(({ long }) => long === text)) {
        throw new InvalidArgumentError(`It needs a value before ${text}.`);
      }
      const value = checked(spec.check, text);
      return { value: spec.isList ? [...((before?.value as string[] | undefined) ?? []), value] : value };
    });
  return spec.default === undefined
    ? option
    : option.default({ value: z.parse(spec.check ?? z.string(), spec.default) }, spec.default);
}

function givenFor(option: Option, value: unknown): unknown {
  if (option.negate) {
    return value === false;
  }
  return option.isBoolean() ? value === true : (value as Boxed | undefined)?.value;
}

function checked(check: ArgumentSpec['check'], text: string): unknown {
  const read = z.safeParse(check ?? z.string(), text);
  if (read.error) {
    const [first = '', ...rest] = read.error.issues.map(({ message }) => message).join(', ');
    throw new InvalidArgumentError(`${first.toUpperCase()}${rest.join('')}.`);
  }
  return read.data;
}
