import type { Command, CommandSet, Option } from './command.ts';

const HELP: Option = { help: 'explain the command' };
const JSON_OUTPUT: Option = { help: 'print one JSON object in one line instead of text' };

/** The options of a command, with those that all commands have. */
export function optionsOf<World>({ options, isTextOnly }: Command<World>): Readonly<Record<string, Option>> {
  return { ...options, ...(isTextOnly ? {} : { json: JSON_OUTPUT }), help: HELP };
}

export function typedAs<World>({ name }: Command<World>, script: string, ...rest: readonly string[]): string {
  return [script, name, ...rest].filter(Boolean).join(' ');
}

/** The name of a command with its arguments. */
function usage<World>({ name, arguments: named = {} }: Command<World>): string {
  return [name, ...Object.keys(named).map((argument) => `<${argument}>`)].filter(Boolean).join(' ');
}

export function commandHelp<World>(command: Command<World>, script: string): string {
  const { summary, arguments: named = {}, options = {}, example, remarks } = command;
  const needed = Object.entries(options).flatMap(([option, { required, value }]) =>
    required ? [`--${option} ${value}`] : [],
  );
  const rows = [
    ...Object.entries(named).flatMap(([argument, { help }]) =>
      help === undefined ? [] : [[`<${argument}>`, help]],
    ),
    ...Object.entries(optionsOf(command)).map(([option, spec]) => [
      `--${option}${spec.value === undefined ? '' : ` ${spec.value}`}`,
      `${spec.help}${spec.default === undefined ? '' : ` (default: ${spec.default})`}`,
    ]),
  ];
  const parts = [
    `${summary}.`,
    `  ${[script, usage(command), ...needed, '[options]'].filter(Boolean).join(' ')}`,
    columns(rows),
    `Example: ${typedAs(command, script, example)}`,
    ...(remarks === undefined ? [] : [remarks]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** @param commands those of the set, or of one of its groups */
export function overview<World>(
  { script, summary, remarks }: CommandSet<World>,
  commands: readonly Command<World>[],
): string {
  const parts = [
    summary,
    `  ${script} <command> [arguments] [options]`,
    columns(commands.map((command) => [usage(command), command.summary])),
    columns([
      ['<command> --help', 'explains a command'],
      ['--json', JSON_OUTPUT.help],
    ]),
    ...(remarks === undefined ? [] : [remarks]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}   ${second}`).join('\n');
}
