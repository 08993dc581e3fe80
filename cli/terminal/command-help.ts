import type { Command, CommandSet, Option } from './command.ts';

/** Every command has these. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { help: 'print one JSON object in one line instead of text' },
  help: { help: 'explain the command' },
};

/** The name of a command with its arguments. */
export function usage<World>({ name, arguments: named = {} }: Command<World>): string {
  return [name, ...Object.keys(named).map((argument) => `<${argument}>`)].join(' ');
}

export function commandHelp<World>(command: Command<World>, script: string): string {
  const { summary, arguments: named = {}, options = {}, example, remarks, name } = command;
  const needed = Object.entries(options).flatMap(([option, { required, value }]) =>
    required ? [`--${option} ${value}`] : [],
  );
  const rows = [
    ...Object.entries(named).flatMap(([argument, { help }]) =>
      help === undefined ? [] : [[`<${argument}>`, help]],
    ),
    ...Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, spec]) => [
      `--${option}${spec.value === undefined ? '' : ` ${spec.value}`}`,
      `${spec.help}${spec.default === undefined ? '' : ` (default: ${spec.default})`}`,
    ]),
  ];
  const parts = [
    `${summary}.`,
    `  ${[script, usage(command), ...needed, '[options]'].join(' ')}`,
    columns(rows),
    `Example: ${[script, name, example].join(' ').trimEnd()}`,
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
      ...Object.entries(COMMON_OPTIONS).flatMap(([name, { help }]) =>
        name === 'json' ? [[`--${name}`, help]] : [],
      ),
    ]),
    ...(remarks === undefined ? [] : [remarks]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}   ${second}`).join('\n');
}
