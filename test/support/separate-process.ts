import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs the text of a module in a Node of its own, which inherits no environment and no working directory of the tests.
 *
 * @param source gives its answer once, to `print`
 */
export async function runSeparately(
  source: string,
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<unknown> {
  const print = 'const print = (answer) => console.log(JSON.stringify(answer));\n';
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', print + source],
    { cwd, env: { ...env }, timeout: 20_000 },
  );
  return JSON.parse(stdout);
}
