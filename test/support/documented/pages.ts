import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OPS } from '../../../cli/operator/ops.ts';
import { WEBHOOKS } from '../../../cli/partner/webhooks.ts';
import { readCommand } from '../../../cli/terminal/run-commands.ts';
import { LOCAL } from '../../../local/local-command.ts';
import { SIMULATE } from '../../simulation/run-command.ts';

export const PROJECT = path.resolve(import.meta.dirname, '../../..');

export interface Page {
  /** From the root of the repository: `docs/operations.md`. */
  readonly name: string;
  readonly text: string;
}

/** README, CHANGELOG, the pages of functions and all below docs. */
export function pages(): Page[] {
  const own = ['README.md', 'CHANGELOG.md', ...globSync('functions/**/README.md', { cwd: PROJECT }).sort()];
  const names = [...own, ...globSync('docs/**/*.md', { cwd: PROJECT }).sort()];
  return names.map((name) => ({ name, text: readFileSync(path.join(PROJECT, name), 'utf8') }));
}

export interface Fence {
  readonly page: string;
  /** Of its first line, 1 for the first of the page. */
  readonly line: number;
  /** What stands behind the backticks: `sh aws`. */
  readonly info: string;
  readonly text: string;
}

/** The fenced blocks of a page, in their order; one in a list is unindented. */
export function fences({ name, text }: Page): Fence[] {
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [, indent = '', info = '', block = ''] = match;
    return {
      page: name,
      line: text.slice(0, match.index).split('\n').length + 1,
      info: info.trim(),
      text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

/** What is not in a fenced block. */
export function prose({ text }: Page): string {
  return text.replaceAll(/^( *)```.*\n[\s\S]*?^ *```$/gm, '');
}

/** What a command does first with its arguments; rejects when it would refuse them. */
type ReadOptions = (args: string[]) => unknown;

/** Of each script of `npm run` that takes arguments: the very code that reads them. */
const OPTION_READERS: Readonly<Record<string, ReadOptions>> = {
  console: (args) => readCommand(OPS, ['console', ...args]),
  portal: (args) => readCommand(OPS, ['portal', ...args]),
  local: (args) => readCommand(LOCAL, args),
  ops: (args) => readCommand(OPS, args),
  simulate: (args) => (args[0] === 'mutate' ? undefined : readCommand(SIMULATE, args)),
  start: (args) => readCommand(LOCAL, args),
  token: (args) => readCommand(OPS, ['token', ...args]),
  webhooks: (args) => readCommand(WEBHOOKS, args),
};

/** Whether a command is the laboratory's, whose own tests read its options. */
export function isOfLaboratory(command: string): boolean {
  return /^npm run (--silent )?(load|simulate -- scale)\b/.test(command);
}

/**
 * @param words as the shell hands them to npm: `run --silent ops -- send --payments 5`
 * @throws when there is no such script, or it would refuse its arguments
 */
export async function readAsNpmRun(
  words: readonly string[],
  scripts: Readonly<Record<string, string>>,
  readers = OPTION_READERS,
) {
  const [verb = '', ...rest] = words.filter((word, index) => word !== '--silent' || index > 1);
  const name = verb === 'run' ? (rest.shift() ?? '') : verb;
  if (verb === 'ci' && rest.length === 0) {
    return;
  }
  if (scripts[name] === undefined) {
    throw new Error(`package.json has no script ${JSON.stringify(name)}`);
  }
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  const read = readers[name];
  if (read === undefined && args.length > 0) {
    throw new Error(`${name}: nobody reads ${args.join(' ')}`);
  }
  await read?.(args);
}

/** The words of a command in a text: a text in quotes is one. */
export function npmWords(command: string): string[] {
  const [, npm = '', args = ''] = /^npm ((?:run )?(?:--silent )?[\w:]+)(?: -- (.*))?/.exec(command) ?? [];
  const words = [
    ...npm.split(' '),
    '--',
    ...(args.match(/'[^']*'?|[^\s>]+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')),
  ];
  return args === '' ? words.slice(0, -1) : words;
}
