import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accountEnvironment } from '../cli/stage/local-account.ts';
import { searchPath } from '../lib/project-paths.ts';
import { CommandFailedError, explain, runLogged } from './run-logged.ts';

const NO_CDK =
  'The local stack deploys with the command of the CDK, and this folder has none. Install it: npm install --save-dev aws-cdk';

export interface CdkRun {
  /** The emulator's URL. @default - the command makes no AWS calls */
  readonly endpoint?: string;
  /** Holds the CDK's caches. */
  readonly directory: string;
  readonly cwd: string;
  readonly logFile: string;
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs the project's CDK CLI against the emulator only: without the user's AWS configuration, notices,
 * version checks or telemetry.
 *
 * @throws ExplainedError with `failure`, the last lines of output and the log file
 */
export async function cdk(args: readonly string[], failure: string, run: CdkRun): Promise<void> {
  const { endpoint, directory, ...rest } = run;
  const env = cdkEnvironment(process.env, directory, endpoint);
  await rm(rest.logFile, { force: true });
  try {
    await runLogged({ file: 'cdk', args: [...args, '--no-notices'], env, ...rest });
  } catch (error) {
    throw explain(error, isMissing(error) ? NO_CDK : failure);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof CommandFailedError && error.message.endsWith('ENOENT');
}

export function cdkEnvironment(
  person: NodeJS.ProcessEnv,
  directory: string,
  endpoint: string | undefined,
): NodeJS.ProcessEnv {
  const own = Object.entries(person).filter(([name]) => !/^(AWS|CDK)_/.test(name));
  return {
    ...Object.fromEntries(own),
    PATH: searchPath(person),
    // Plain lines instead of a progress bar.
    CI: 'true',
    NO_COLOR: '1',
    NO_PROXY: 'localhost,127.0.0.1',
    no_proxy: 'localhost,127.0.0.1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_HOME: join(directory, 'cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CDK_DISABLE_VERSION_CHECK: 'true',
    // Its rules for CloudFormation on AWS would take half of the time of a synthesis.
    CDK_VALIDATION: 'false',
    ...(endpoint === undefined ? {} : accountEnvironment(endpoint)),
  };
}
