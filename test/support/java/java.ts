import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { explain, runLogged } from '../../../local/run-logged.ts';

/** The oldest Java that runs DynamoDB Local. */
const OLDEST = 17;

export interface Java {
  /** Path of the program, or its name in PATH. */
  readonly program: string;
}

/** Java with its compiler, from JAVA_HOME or PATH, if Maven is there too; or what is missing. */
export function findJava(env: NodeJS.ProcessEnv): Java | string {
  const program = env.JAVA_HOME === undefined ? 'java' : join(env.JAVA_HOME, 'bin', 'java');
  const modules = outputOf(program, ['--list-modules'], env);
  if (modules === undefined) {
    return `Java ${OLDEST} or newer is missing`;
  }
  // Each module is followed by its version: `jdk.compiler@17.0.15`.
  const version = Number(/^jdk\.compiler@(\d+)/m.exec(modules)?.[1]);
  if (Number.isNaN(version)) {
    return `Java is there, but not its compiler: JDK ${OLDEST} or newer is missing`;
  }
  if (version < OLDEST) {
    return `Java ${version} is too old: ${OLDEST} or newer is missing`;
  }
  return outputOf('mvn', ['--version'], env) === undefined ? 'Maven (mvn) is missing' : { program };
}

/** Undefined if the program is missing or fails. */
function outputOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

/** Copies what a pom.xml depends on into a folder. */
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

interface Libraries {
  /** Holds `pom.xml`, and `libraries.sha256` with the hash of each file that it brings. */
  readonly source: string;
  /** Keeps them, one folder for each list of hashes. */
  readonly directory: string;
  readonly log: (line: string) => void;
}

/**
 * Fetches the libraries of a pom.xml with Maven, unless they are there. Returns their folder.
 *
 * @throws ExplainedError if they cannot be fetched, or are not exactly those of the list
 */
export async function ensureLibraries({ source, directory, log }: Libraries): Promise<string> {
  const list = await readFile(join(source, 'libraries.sha256'), 'utf8');
  const libraries = join(directory, sha256(list).slice(0, 16));
  if (!(await isThere(libraries))) {
    log(`Fetching the libraries of ${join(source, 'pom.xml')} (once)`);
    await mkdir(directory, { recursive: true });
    // Another process may be fetching the same ones. Each fetches its own; the first complete ones stay.
    const unfinished = await mkdtemp(`${libraries}.`);
    try {
      await fetchAll(join(source, 'pom.xml'), unfinished, `${libraries}.log`);
      await rename(unfinished, libraries).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') {
          throw error;
        }
      });
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  // Each time: what is run is what the list says, whoever wrote into the folder since.
  const found = await hashesIn(libraries);
  if (found !== list) {
    throw new ExplainedError(
      `${libraries} is not what ${join(source, 'libraries.sha256')} lists; see: ${differences(found, list)}\n` +
        'Remove the folder to fetch it again.',
    );
  }
  return libraries;
}

/** As sha256sum prints them, by name. */
async function hashesIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`),
  );
  return lines.join('');
}

async function fetchAll(pom: string, outputDirectory: string, logFile: string): Promise<void> {
  await rm(logFile, { force: true });
  try {
    await runLogged({
      file: 'mvn',
      args: ['--batch-mode', '--file', pom, COPY, `-DoutputDirectory=${outputDirectory}`],
      env: process.env,
      logFile,
    });
  } catch (error) {
    throw explain(error, 'Maven could not fetch the libraries. This needs a connection to Maven Central.');
  }
}

function isThere(folder: string): Promise<boolean> {
  return readdir(folder).then(
    () => true,
    () => false,
  );
}

/** The names of files that are missing, additional or changed. */
function differences(found: string, list: string): string {
  const [there, wanted] = [found.split('\n'), list.split('\n')];
  const lines = [
    ...there.filter((line) => !wanted.includes(line)),
    ...wanted.filter((line) => !there.includes(line)),
  ];
  return [...new Set(lines.map((line) => line.split('  ')[1]))].join(', ');
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
