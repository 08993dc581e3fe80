import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
