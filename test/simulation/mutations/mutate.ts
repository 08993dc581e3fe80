import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportOn } from '../report.ts';
import type { Mutation } from './mutation.ts';
import { MUTATIONS } from './mutations.ts';

const HELP = `Breaks one rule after the other in a copy of the code, and prints the first world that shows it.

  npm run simulate -- mutate [part of a name [how many seeds]]

  part of a name    only the rules whose names hold it (default: all; test/simulation/mutations/ lists them)
  how many seeds    1 to 100000, from seed 1 on (default: 600)
  --help

All of them take hours. What never comes to an end is given up after three minutes. Exit code 1: one could not be tried.
`;

const ROOT = join(import.meta.dirname, '../../..');
const COPIED = [
  ...['functions', 'test/simulation', 'test/support', 'local', 'cli', 'lib', 'events'],
  ...['payhooks.config.ts', 'package.json'],
];
const SEEDS_AT_ONCE = 48;
/** A broken rule may keep a world busy for ever. */
const LONGEST_MS = 180_000;
/** One for each core. */
const AT_ONCE = 2;

const [wanted = '', max = '600'] = process.argv.slice(2);
const MAX_SEEDS = Number(max);
const left = MUTATIONS.filter(({ name }) => name.includes(wanted));
if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
  process.exit();
}
if (left.length === 0 || !Number.isInteger(MAX_SEEDS) || MAX_SEEDS < 1 || MAX_SEEDS > 100_000) {
  console.error(
    left.length === 0
      ? `No rule's name holds ${JSON.stringify(wanted)}: test/simulation/mutations/ lists them.`
      : `How many seeds: ${JSON.stringify(max)} is not a whole number from 1 to 100000.`,
  );
  process.exit(1);
}
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
    for (let from = 1; from <= MAX_SEEDS; from += SEEDS_AT_ONCE) {
      const { failure } = await reportOn(root, from, SEEDS_AT_ONCE, mutation.world, LONGEST_MS);
      if (failure !== undefined) {
        return `${failure.seed} | ${failure.broken[0]}`;
      }
    }
    return `none of ${MAX_SEEDS} | nothing`;
  } catch (error) {
    const isEndless = (error as { killed?: boolean }).killed === true;
    if (!isEndless) {
      process.exitCode = 1;
    }
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
