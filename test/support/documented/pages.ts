import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

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
