import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
 * What blocks may call besides functions: shell tools that the pages ask for, and what comes with the
 * project. Each is recorded and answers `ANSWER`.
 */
const TOOLS =
  'aws git npm npx node jq curl python3 sed seq sort uniq head tail grep cut xargs sleep date basename cat diff wc';

/**
 * What `aws` and the others seem to print, wherever a subscription's id would do. But for `date`, with which
 * blocks do sums.
 */
const ANSWER = 'sub_answer';

/** The page whose block that sets the stage loads the functions that blocks of all pages use. */
const RUNBOOK = 'docs/operations.md';
const SETS_THE_STAGE = 'export STAGE=dev\n';

/**
 * What takes a deployed stage: blocks of pages marked `sh aws`, and a call of each function of the checklist.
 */
export function blocksForAws(): Fence[] {
  return [
    ...pages().flatMap((page) => fences(page).filter(({ info }) => info === 'sh aws')),
    ...checklistFunctions().map(({ page, line, name, args }) => ({
      page,
      line,
      info: 'sh aws',
      text: `. cli/operator/checklist/start.sh\n${[name, ...args.map(() => '1')].join(' ')}`,
    })),
  ];
}

/** Those whose comment begins with an item of docs/aws-checklist.md: `# memory <MiB>: 38, a load run`. */
export function checklistFunctions() {
  return globSync('cli/operator/checklist/*.sh', { cwd: PROJECT }).flatMap((page) =>
    readFileSync(path.join(PROJECT, page), 'utf8')
      .split('\n')
      .flatMap((text, index) => {
        const [, name, args = ''] = /^# (\w+)((?: <[^>]+>)*): \d+, /.exec(text) ?? [];
        return name === undefined
          ? []
          : [{ page, line: index + 1, name, args: args.match(/<[^>]+>/g) ?? [] }];
      }),
  );
}

/**
 * Goes through blocks in one shell, after the functions of the runbook, with a stand-in for each command:
 * nothing is called, and yet the shell reads, expands and walks through everything.
 *
 * @param given values of variables that the text around the blocks asks for
 */
export function rehearse(blocks: readonly Fence[], given: Readonly<Record<string, string>> = {}): Rehearsal {
  const directory = mkdtempSync(path.join(tmpdir(), 'payhooks-rehearsal-'));
  try {
    cpSync(path.join(PROJECT, 'docs/examples'), path.join(directory, 'docs/examples'), { recursive: true });
    for (const file of globSync('cli/operator/**/*.sh', { cwd: PROJECT })) {
      cpSync(path.join(PROJECT, file), path.join(directory, file));
    }
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
  const isPreamble = ({ page, text }: Fence) => page === RUNBOOK && text.startsWith(SETS_THE_STAGE);
  const preamble = blocksForAws().find(isPreamble);
  return `
PATH=/nowhere AT=preamble
# In one piece: the parts of a pipe write at the same time.
record() { local call; printf -v call '%s\\x1f' "$AT" "$@"; printf '%s\\x1e' "$call" >> "$RECORD"; echo ${ANSWER}; }
for tool in ${TOOLS}; do eval "$tool() { record $tool \\"\\$@\\"; }"; done
date() { record date "$@" > /dev/null; echo 1; }
${preamble?.text ?? ''}
for known in output resource logs metric; do
  eval "real_$(declare -f "$known")"
  eval "$known() { record $known \\"\\$@\\" > /dev/null; real_$known \\"\\$@\\"; }"
done
${blocks.map((block) => `AT='${block.page}:${block.line}'\n${isPreamble(block) ? '' : block.text}\nrecord the end > /dev/null`).join('\n')}
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
