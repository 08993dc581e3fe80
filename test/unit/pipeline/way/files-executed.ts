import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FUNCTIONS = path.join(import.meta.dirname, '../../../../functions');

/** Keeps what stands in for a table, and is no part of the way. */
const STAND_INS = ['core/sequence/in-memory-sequences.ts', 'core/stuck/in-memory-stuck.ts'];

/**
 * Of which files of `functions/` a function is called while something runs. Types and constants do not count:
 * nobody has to follow them. Only outside of Jest, whose transformed modules have a function for each export.
 */
export async function filesExecuted(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(isCalled))
    .map(({ url }) => path.relative(FUNCTIONS, fileURLToPath(url)))
    .filter((file) => !file.startsWith('..') && !STAND_INS.includes(file))
    .sort();
}

function isCalled({ ranges: [whole] }: { readonly ranges: readonly { readonly count: number }[] }): boolean {
  return whole !== undefined && whole.count > 0;
}
