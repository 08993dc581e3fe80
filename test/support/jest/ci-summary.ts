import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { findJava } from '../java/java.ts';

/** A file of tests, as `reporter.cjs` collects it. */
export interface TestFile {
  /** Its path in the project. */
  readonly file: string;
  /** The project that ran it, or a name that the run was given. */
  readonly part: string;
  readonly seconds: number;
  /** It did not come to its tests. */
  readonly isBroken: boolean;
  readonly tests: readonly { readonly fullName: string; readonly status: string }[];
}

export interface Ran {
  readonly files: readonly TestFile[];
  /** The parts of which some test must have run. */
  readonly parts: readonly string[];
  /** Why tests with Java are skipped, if they are. */
  readonly java: string | undefined;
}

const SLOWEST = 10;
const COUNTED = ['passed', 'failed'];

/** What `.ci/run` prints last: what each part took, the slowest files, what was skipped and why, counts. */
export function summaryOf({ files, parts, java }: Ran): { lines: string[]; isBad: boolean } {
  const byPart = Map.groupBy(files, partOf);
  const skipped = files.flatMap((file) =>
    file.tests
      .filter(({ status }) => !COUNTED.includes(status))
      .map(({ fullName }) => reasonOf(file, fullName, java)),
  );
  const idle = parts.filter((part) => count(byPart.get(part) ?? []).ran === 0);
  const { passed, failed } = count(files);
  return {
    isBad: idle.length > 0,
    lines: [
      '  tests  seconds  part',
      ...[...byPart].map(([part, own]) => `${pad(count(own).ran, 7)}  ${pad(secondsOf(own), 7)}  ${part}`),
      '         seconds  slowest files',
      ...[...files]
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, SLOWEST)
        .map((file) => `${pad(secondsOf([file]), 16)}  ${file.file}`),
      ...idle.map((part) => `${part}: no test ran`),
      `skipped: ${
        [...Map.groupBy(skipped, (why) => why)].map(([why, all]) => `${all.length} (${why})`).join(', ') ||
        'nothing'
      }`,
      `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
    ],
  };
}

/** Of the thorough tests, which take longest, with the folder. */
function partOf({ part, file }: TestFile): string {
  return part === 'thorough' ? `${part}/${file.split('/')[2]}` : part;
}

function count(files: readonly TestFile[]) {
  const all = files.flatMap(({ tests }) => tests);
  const having = (status: string) => all.filter((test) => test.status === status).length;
  const broken = files.filter(({ isBroken }) => isBroken).length;
  const [passed, failed] = [having('passed'), having('failed') + broken];
  return { passed, failed, ran: passed + failed };
}

/** A test that may be skipped says in its title what it needs, or with `skipped:` why. */
function reasonOf(file: TestFile, title: string, java?: string): string {
  const said = /\((needs [^)]+)\)/.exec(title)?.[1] ?? /\(skipped: ([^)]+)\)/.exec(title)?.[1];
  if (said !== undefined) return said;
  const name = path.basename(file.file);
  if (partOf(file).endsWith('engines') || title.startsWith('Spring Boot')) return java ?? name;
  return title.startsWith('net/http of Go') ? 'needs go' : name;
}

function secondsOf(files: readonly TestFile[]): number {
  return Math.round(files.reduce((sum, { seconds }) => sum + seconds, 0));
}

const pad = (value: number, width: number) => String(value).padStart(width);

/** Every project, and the parts that have names of their own; on a machine of the CI with Java, the engines. */
function expectedParts(): readonly string[] {
  const { projects } = JSON.parse(readFileSync(path.join(PROJECT, 'jest.config.json'), 'utf8'));
  const names = projects.map(({ displayName }: { displayName: string }) => displayName);
  const needsEngines = process.env.CI === 'true' && spawnSync('java', ['--version']).status === 0;
  return [
    // `together` has all files of the first two.
    ...names.filter((name: string) => !['unit', 'stacks', 'thorough', 'engines'].includes(name)),
    'fuzzing',
    'worlds',
    ...(needsEngines ? ['engines', 'thorough/engines'] : []),
  ];
}

if (import.meta.main) {
  const java = findJava(process.env);
  const { lines, isBad } = summaryOf({
    files: readFileSync(process.argv[2] as string, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    parts: expectedParts(),
    java: typeof java === 'string' ? java : undefined,
  });
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = isBad ? 1 : 0;
}
