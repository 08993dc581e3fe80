import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';

/** The laboratory: load runs, what they deploy, the simulation at scale, and the tests of all that. */
const LAB =
  /^(load|functions\/load-lab|lib\/.*\/(load-lab-stack|empty-pipeline)\.ts|test\/unit\/load(-lab)?|test\/simulation\/scale)(\/|$)/;
const CODE = /\.(ts|tsx|cjs|mjs|js|css|html|py|sh|sql|java|go|php|rb|grit)$/;
const PAGE = /^docs\/.*\.md$/;

/** The most of each; why there are any: docs/adr/0032. The first that a file fits counts it. */
const LINES: readonly (readonly [name: string, files: RegExp, most: number])[] = [
  ['the laboratory, with its tests', LAB, 12_000],
  ['functions', /^functions\//, 25_500],
  ['lib', /^lib\//, 5_800],
  ['cli', /^cli\//, 11_000],
  ['console', /^console\//, 8_000],
  ['local', /^local\//, 3_400],
  ['product tests', /^test\//, 62_000],
];
const ALL_LINES = 126_000;
const ALL_FILES = 1_700;
const WORDS_OF_DOCS = 38_000;

const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '');
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');
const linesOf = (file: string) => read(file).split('\n').length - 1;
const sum = (some: readonly string[], of: (file: string) => number) =>
  some.reduce((total, file) => total + of(file), 0);

const code = files.filter((file) => CODE.test(file));
const byBudget = Map.groupBy(code, (file) => LINES.find(([, fits]) => fits.test(file))?.[0]);
const figures = [
  ...LINES.map(([name, , most]) => [name, sum(byBudget.get(name) ?? [], linesOf), most] as const),
  ['all lines of code', sum(code, linesOf), ALL_LINES] as const,
  ['files', files.length, ALL_FILES] as const,
  [
    'words of docs',
    sum(
      files.filter((file) => PAGE.test(file)),
      (file) => read(file).match(/\S+/g)?.length ?? 0,
    ),
    WORDS_OF_DOCS,
  ] as const,
];
for (const [name, today, most] of figures) {
  const over = today > most ? `  ${(today - most).toLocaleString('en')} over` : '';
  const [now, budget] = [today, most].map((number) => number.toLocaleString('en').padStart(8));
  process.stdout.write(`${name.padEnd(32)}${now} of${budget}${over}\n`);
}
