import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { SpecialWorld } from './mutations/mutation.ts';
import type { Report } from './worlds.ts';

/** A report grows with what is broken. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Runs worlds in a separate process: three times as fast as inside Jest.
 *
 * @param root of the tree whose code they run
 * @param world which worlds: those of seeds, or special ones
 * @param longestMs after this time the process is ended, and the report rejects
 */
export async function reportOn(
  root: string,
  from: number,
  count: number,
  world: 'of seeds' | SpecialWorld = 'of seeds',
  longestMs = Number.POSITIVE_INFINITY,
): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'node',
    [join(root, 'test/simulation/worlds.ts'), String(from), String(count), world],
    {
      cwd: root,
      maxBuffer: MAX_BYTES,
      ...(longestMs === Number.POSITIVE_INFINITY ? {} : { timeout: longestMs }),
      // The project's own Node, as npm finds it.
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` },
    },
  );
  return JSON.parse(stdout) as Report;
}
