import { join } from 'node:path';

/** The root of the repository. */
export const PROJECT = join(import.meta.dirname, '..');

/** All that the local stack keeps on disk, outside git. May be deleted while no stack runs. */
export const LOCAL_DIRECTORY = join(PROJECT, '.local');

/**
 * Outputs, logs and the cloud assembly of one stack. PAYHOOKS_STACK_DIRECTORY allows a second stack beside
 * the first.
 */
export const STACK_DIRECTORY = process.env.PAYHOOKS_STACK_DIRECTORY ?? LOCAL_DIRECTORY;

/** First in PATH, so that every `node` started is the version that Lambda runs, whatever is installed. */
export const NODE_BIN = join(PROJECT, 'node_modules', '.bin');

export function searchPath(env: Readonly<Record<string, string | undefined>>): string {
  return [NODE_BIN, ...(env.PATH === undefined ? [] : [env.PATH])].join(':');
}
