import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Fence, fences, PROJECT, pages } from './pages.ts';

/** A command that a block called, as the shell has expanded it. */
interface Call {
  /** Of the block: `docs/operations.md:92`. */
  readonly at: string;
  readonly words: readonly string[];
}

export interface Rehearsal {
  /** Each block that was walked through ends with `the end`. */
  readonly calls: readonly Call[];
  /**
   * What the shell itself complained of: syntax, commands that are nowhere, variables that nobody has set.
   */
  readonly complaints: string;
}

/**
 * What blocks may call: shell tools that the pages ask for, and what comes with the project. Each is
 * recorded and answers `ANSWER`.
 */
const TOOLS =
  'aws git npm npx node jq curl python3 sed seq sort uniq head tail grep cut xargs sleep date basename cat diff wc';

/**
 * What `aws` and the others seem to print, wherever a subscription's id would do. But for `date`, with which
 * blocks do sums.
 */
const ANSWER = 'sub_answer';

/** What takes a deployed stage: blocks of pages marked `sh aws`. */
export function blocksForAws(): Fence[] {
  return pages().flatMap((page) => fences(page).filter(({ info }) => info === 'sh aws'));
}

/** The variables that `npm run ops -- outputs` sets: what all parts record. */
function outputs(): string[] {
  const source = readFileSync(path.join(PROJECT, 'lib/deployment-record.ts'), 'utf8');
  return [...source.matchAll(/^ {6}([A-Z]\w+): /gm)].map(([, name = '']) => name);
}

/**
 * Goes through blocks in one shell, with the outputs of a stage and a stand-in for each command:
 * nothing is called, and yet the shell reads, expands and walks through everything.
 *
 * @param given values of variables that the text around the blocks asks for
 */
export function rehearse(blocks: readonly Fence[], given: Readonly<Record<string, string>> = {}): Rehearsal {
  const directory = mkdtempSync(path.join(tmpdir(), 'payhooks-rehearsal-'));
  try {
    cpSync(path.join(PROJECT, 'docs/examples'), path.join(directory, 'docs/examples'), { recursive: true });
    const record = path.join(directory, 'record');
    writeFileSync(record, '');
    const { stderr } = spawnSync('bash', ['--norc', '-u', '-c', script(blocks)], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...given, PATH: process.env.PATH, RECORD: record },
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { calls: callsIn(record), complaints: stderr };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function script(blocks: readonly Fence[]): string {
  return `
PATH=/nowhere AT=preamble STAGE=dev
${outputs()
  .map((name) => `${name}=${ANSWER}`)
  .join('\n')}
# In one piece: the parts of a pipe write at the same time.
record() { local call; printf -v call '%s\\x1f' "$AT" "$@"; printf '%s\\x1e' "$call" >> "$RECORD"; echo ${ANSWER}; }
for tool in ${TOOLS}; do eval "$tool() { record $tool \\"\\$@\\"; }"; done
# What a block evaluates sets variables that are set already.
${ANSWER}() { :; }
date() { record date "$@" > /dev/null; echo 1; }
${blocks.map((block) => `AT='${block.page}:${block.line}'\n${block.text}\nrecord the end > /dev/null`).join('\n')}
`;
}

function callsIn(file: string): Call[] {
  const text = readFileSync(file, 'utf8');
  return text
    .split('\x1e')
    .slice(0, -1)
    .map((record) => {
      const [at = '', ...words] = record.split('\x1f').slice(0, -1);
      return { at, words };
    });
}
