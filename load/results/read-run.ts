import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { type RunResult, runResultSchema } from './run-result.ts';

/** The content of a run folder. An unreadable one is an answer, with the reason in words. */
export type RunFolder =
  | { readonly kind: 'run'; readonly folder: string; readonly result: RunResult }
  | { readonly kind: 'unreadable'; readonly folder: string; readonly reason: string };

/** @param directory the folder of one run */
export async function readRun(directory: string): Promise<RunFolder> {
  const folder = basename(resolve(directory));
  const unreadable = (reason: string) => ({ kind: 'unreadable', folder, reason }) as const;
  const text = await readFile(join(directory, 'result.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (typeof text !== 'string') {
    return unreadable(
      text.code === 'ENOENT' || text.code === 'ENOTDIR'
        ? 'has no result.json: the run is still going, or could not write it'
        : `has a result.json that cannot be read: ${text.message}`,
    );
  }
  const value = parsed(text);
  if (value === undefined) {
    return unreadable('has a result.json that is not JSON: it was truncated or edited');
  }
  const version = z.object({ v: z.unknown() }).safeParse(value).data?.v;
  if (version !== 1) {
    return unreadable(
      `has a result of version ${JSON.stringify(version) ?? 'unknown'}, but this report reads version 1: run the scenario again`,
    );
  }
  const result = runResultSchema.safeParse(value);
  if (!result.success) {
    const [first] = result.error.issues;
    return unreadable(`has an invalid result, at \`${first?.path.join('.')}\`: ${first?.message}`);
  }
  return { kind: 'run', folder, result: result.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
