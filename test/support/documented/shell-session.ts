import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { searchPath } from '../../../lib/project-paths.ts';
import { AS_RUN, RUN_ELSEWHERE } from './as-run.ts';
import { PROJECT } from './pages.ts';
import { printedCommands } from './printed-texts.ts';

/** The commands of a page, in the form in which they are run here. */
export function sessionOf(page: string): string[] {
  const of = <Entry extends { readonly page: string; readonly printed: string }>(entries: readonly Entry[]) =>
    new Map(entries.filter((entry) => entry.page === page).map((entry) => [entry.printed, entry]));
  const [otherwise, elsewhere] = [of(AS_RUN), of(RUN_ELSEWHERE)];
  return printedCommands()
    .filter((one) => one.page === page && !elsewhere.has(one.command))
    .map(({ command }) => otherwise.get(command)?.asRun ?? command);
}

/** Pages with commands to run here. */
export function pagesToRun(): string[] {
  return [...new Set(printedCommands().map(({ page }) => page))];
}

const PREAMBLE = `
set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body "$@"; }
python3() { "$EXAMPLES_PYTHON" "$@"; }
# Presses Ctrl-C once the command has printed the text; fails when it has not within two minutes.
until_seen() {
  local text=$1 printed; printed=$ANOTHER_DIRECTORY/printed; shift
  set -m; "$@" > "$printed" 2>&1 & set +m
  for _ in $(seq 240); do
    if grep -q "$text" "$printed" || ! kill -0 $! 2> /dev/null; then break; fi
    sleep 0.5
  done
  kill -INT -- -$! 2> /dev/null || true
  wait $! || true
  cat "$printed"; grep -q "$text" "$printed"
}
`;

/**
 * Types commands into one shell, in the root of the repository, up to the first that fails; what was printed,
 * and the exit code.
 */
export async function typed(
  commands: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const script = commands.map((command) => `cat <<'~~'\n== ${command}\n~~\n${command}\n`).join('');
  const shell = spawn('bash', ['--norc', '-c', `${PREAMBLE}${script}`], {
    cwd: PROJECT,
    env: { PATH: searchPath(process.env), HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (data) => {
      printed += data;
    });
  }
  const [code] = await once(shell, 'close');
  return { code, printed };
}
