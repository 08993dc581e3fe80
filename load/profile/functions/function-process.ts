import { pathToFileURL } from 'node:url';

/** What the process of a function answers to the event of an invocation. */
export type Answer =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'answered'; readonly result: unknown; readonly log: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * The process of one function, as on Lambda: loads the given bundle, then runs one invocation after another.
 */
const [, , bundle = ''] = process.argv;
const tell = (answer: Answer) => process.send?.(answer);

/** Logs go to the parent process instead of the terminal. */
let written = '';
process.stdout.write = process.stderr.write = ((text: string | Uint8Array) => {
  written += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  return true;
}) as typeof process.stdout.write;

const { handler } = (await import(pathToFileURL(bundle).href)) as {
  handler(event: unknown, context: object): Promise<unknown>;
};
process.on('message', async (event: unknown) => {
  written = '';
  try {
    const result = await handler(event, {});
    tell({ kind: 'answered', result, log: written });
  } catch (error) {
    tell({ kind: 'failed', reason: String((error as Error).stack) });
  }
});
// An ordinary end, so that Node writes a CPU profile that it was asked for.
process.on('disconnect', () => process.exit(0));
tell({ kind: 'loaded' });
