import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTATIONS, type Mutation } from './mutations.ts';
import { reportOn } from './report.ts';

/**
 * Breaks one rule after the other in a copy of the tree, and prints the first seed from 1 on that shows it:
 * `node test/simulation/mutate.ts [part of a name [how many seeds]]`. What never comes to an end is given up after a minute.
 */

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['functions', 'test/simulation', 'test/support', 'local', 'operate', 'lib', 'package.json'];
const SEEDS_AT_ONCE = 96;
/** A broken rule may keep a world busy for ever. */
const LONGEST_MS = 60_000;
/** One for each core. */
const AT_ONCE = 2;

const [wanted = '', most = '600'] = process.argv.slice(2);
const MOST_SEEDS = Number(most);
const left = MUTATIONS.filter(({ name }) => name.includes(wanted));
console.log('| broken on purpose | seed | what is reported |\n| --- | --- | --- |');
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
      console.log(`| ${mutation.name} | ${await firstSign(mutation)} |`);
    }
  }),
);

async function firstSign(mutation: Mutation): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'payhooks-mutant-'));
  try {
    for (const part of COPIED) {
      cpSync(join(ROOT, part), join(root, part), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    apply(mutation, root);
    for (let from = 1; from <= MOST_SEEDS; from += SEEDS_AT_ONCE) {
      const { failure } = await reportOn(root, from, SEEDS_AT_ONCE, mutation.world, LONGEST_MS);
      if (failure !== undefined) {
        return `${failure.seed} | ${failure.broken[0]}`;
      }
    }
    return `none of ${MOST_SEEDS} | nothing`;
  } catch (error) {
    const isEndless = (error as { killed?: boolean }).killed === true;
    return isEndless ? '- | not done' : `? | ${String(error).slice(0, 200).replaceAll('\n', ' ')}`;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** @throws when the text does not stand there, or more than once: the list has to follow the code */
function apply({ name, file, from, to }: Mutation, root: string): void {
  const path = join(root, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) {
    throw new Error(`"${name}": the text stands ${parts.length - 1} times in ${file}`);
  }
  writeFileSync(path, parts.join(to));
}
