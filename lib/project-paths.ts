import { delimiter, dirname, extname, join } from 'node:path';

/** Whether this is the repository. A package holds this code bundled, as JavaScript: build/build.ts. */
export const IS_REPOSITORY = extname(import.meta.filename) === '.ts';

/**
 * The root of the repository, or of the package. What is read at run time lies at the same path below both:
 * see `files` in package.json.
 */
export const PROJECT = join(import.meta.dirname, '..');

/** The CDK app to work on: ours, or that of whoever installed the package. */
export const APP_DIRECTORY = IS_REPOSITORY ? PROJECT : process.cwd();

/** All that the local stack keeps on disk, outside git. May be deleted while no stack runs. */
export const LOCAL_DIRECTORY = join(APP_DIRECTORY, '.local');

/**
 * Outputs, logs and the cloud assembly of one stack. PAYHOOKS_STACK_DIRECTORY allows a second stack beside
 * the first.
 */
export const STACK_DIRECTORY = process.env.PAYHOOKS_STACK_DIRECTORY ?? LOCAL_DIRECTORY;

/** The commands that npm has installed for the app. In the repository, Lambda's version of `node` is one. */
const COMMANDS = join(APP_DIRECTORY, 'node_modules', '.bin');

/** Begins with what every `node` and `cdk` that we start has to be, whatever else is installed. */
export function searchPath(env: Readonly<Record<string, string | undefined>>): string {
  const own = [COMMANDS, dirname(process.execPath)];
  return [...own, ...(env.PATH === undefined ? [] : [env.PATH])].join(delimiter);
}
