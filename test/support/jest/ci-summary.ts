import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { findJava } from '../java/java.ts';

/** A file of tests, as Jest writes it into its JSON. */
interface TestFile {
  /** Its path. */
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

export interface Ran {
  /** By the project or command that ran them: its files, or undefined if Jest did not come to its end. */
  readonly parts: Readonly<Record<string, readonly TestFile[] | undefined>>;
  /** Files that failed at first and ran once more. */
  readonly again: readonly TestFile[];
  /** Why tests with Java are skipped, if they are. */
  readonly java: string | undefined;
  /** With Java on a machine of the CI, no engine may be left out. */
  readonly needsEngines: boolean;
}

const counted = ['passed', 'failed'];

/** What `.ci/run` prints last: what each part took, what was skipped and why, and the count. */
export function summaryOf({ parts, again, java, needsEngines }: Ran): { lines: string[]; isBad: boolean } {
  const replaced = new Map(again.map((file) => [file.name, file]));
  const files = Object.entries(parts).flatMap(([part, all = []]) =>
    all.map((file) => ({ part: partOf(part, file.name), ...(replaced.get(file.name) ?? file) })),
  );
  const skipped = files.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => !counted.includes(status))
      .map(({ fullName }) => reasonOf(file, fullName, java)),
  );
  const missing = Object.keys(parts).filter((part) => parts[part] === undefined);
  const idle = ['engines', 'thorough/engines'].filter(
    (part) => needsEngines && count(files.filter((file) => file.part === part)).ran === 0,
  );
  const { passed, failed } = count(files);
  return {
    isBad: missing.length + idle.length > 0,
    lines: [
      '  tests  seconds  part',
      ...[...Map.groupBy(files, ({ part }) => part)].map(
        ([part, own]) => `${pad(count(own).ran, 7)}  ${pad(secondsOf(own), 7)}  ${part}`,
      ),
      ...missing.map((part) => `${part}: Jest did not come to its end`),
      ...idle.map((part) => `${part}: Java is on this machine, but no test ran`),
      ...again.map(({ name }) => `${path.relative(PROJECT, name)} failed at first: mend it`),
      `skipped: ${
        Object.entries(tallied(skipped))
          .map(([why, many]) => `${many} (${why})`)
          .join(', ') || 'nothing'
      }`,
      `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
    ],
  };
}

/** The project; of the thorough tests, which take longest, the folder, too. */
function partOf(part: string, name: string): string {
  const [project = '', folder = ''] = path.relative(path.join(PROJECT, 'test'), name).split(path.sep);
  if (part === 'tests' || project === 'slow') return project;
  return part === 'thorough' ? `thorough/${folder}` : part;
}

/** A file that did not come to its tests counts as one that failed. */
function count(files: readonly TestFile[]) {
  const all = files.flatMap(({ assertionResults }) => assertionResults);
  const having = (status: string) => all.filter((test) => test.status === status).length;
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const [passed, failed] = [having('passed'), having('failed') + broken];
  return { passed, failed, ran: passed + failed };
}

/** A test that may be skipped says in its title what it needs, or with `skipped:` why. */
function reasonOf({ part, name }: { part: string; name: string }, title: string, java?: string): string {
  const said = /\((needs [^)]+)\)/.exec(title)?.[1] ?? /\(skipped: ([^)]+)\)/.exec(title)?.[1];
  if (said !== undefined) return said;
  if (part.endsWith('engines') || title.startsWith('Spring Boot')) return java ?? path.basename(name);
  if (title.startsWith('net/http of Go')) return 'needs go';
  return path.basename(name);
}

function secondsOf(files: readonly TestFile[]): number {
  return Math.round(files.reduce((ms, { startTime, endTime }) => ms + endTime - startTime, 0) / 1_000);
}

function tallied(reasons: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(reasons, (why) => why)].map(([why, all]) => [why, all.length]));
}

const pad = (value: number, width: number) => String(value).padStart(width);

if (import.meta.main) {
  const filesOf = (part: string): readonly TestFile[] | undefined => {
    const file = path.join(PROJECT, '.local/ci', `${part}.json`);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : undefined;
  };
  const java = findJava(process.env);
  const { lines, isBad } = summaryOf({
    parts: Object.fromEntries(process.argv.slice(2).map((part) => [part, filesOf(part)])),
    again: filesOf('again') ?? [],
    java: typeof java === 'string' ? java : undefined,
    needsEngines: process.env.CI === 'true' && spawnSync('java', ['--version']).status === 0,
  });
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = isBad ? 1 : 0;
}
