import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { LOCAL_DIRECTORY } from '../../../../lib/project-paths.ts';
import { ensureLibraries, type Java } from '../java.ts';

/** A filter, and an event that it looks at: as JSON text. */
export type Pair = readonly [filter: string, event: string];

/**
 * What Amazon's matcher says of each pair: `true` and `false`, or why it takes no such filter.
 *
 * @throws ExplainedError if its library cannot be fetched
 */
export async function byEventRuler(pairs: readonly Pair[], { program }: Java): Promise<string[]> {
  const libraries = await ensureLibraries({
    source: import.meta.dirname,
    directory: join(LOCAL_DIRECTORY, 'event-ruler'),
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const args = [
    '-XX:TieredStopAtLevel=1',
    '-cp',
    join(libraries, '*'),
    join(import.meta.dirname, 'EventRuler.java'),
  ];
  const { stdout, stderr } = spawnSync(program, args, {
    input: pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TZ: 'UTC', LANG: 'C.UTF-8' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const answers = stdout.trimEnd().split('\n');
  if (answers.length !== pairs.length) {
    throw new Error(`Event Ruler answered ${answers.length} of ${pairs.length}: ${stderr}`);
  }
  return answers;
}
