import { join } from 'node:path';

/** The root of the repository. */
export const PROJECT = join(import.meta.dirname, '..');

/** Everything that the local stack leaves on disk. Not in git; may be deleted at any time when nothing runs. */
export const LOCAL_DIRECTORY = join(PROJECT, '.local');

/** What one local stack has for itself: outputs, logs, the cloud assembly. PAYHOOKS_STACK_DIRECTORY names it for one that runs beside another. */
export const STACK_DIRECTORY = process.env.PAYHOOKS_STACK_DIRECTORY ?? LOCAL_DIRECTORY;

/** First in PATH: every `node` that is started is then the one of Lambda's runtime, whatever the machine has. */
export const NODE_BIN = join(PROJECT, 'node_modules', '.bin');

export function searchPath(env: Readonly<Record<string, string | undefined>>): string {
  return [NODE_BIN, ...(env.PATH === undefined ? [] : [env.PATH])].join(':');
}
