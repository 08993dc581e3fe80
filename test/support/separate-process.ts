import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a module's source in a separate Node process, without the tests' environment and working directory.
 *
 * @param source calls `print` once, with its result
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
