import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { LOCAL_ACCOUNT } from '../cli/stage/local-account.ts';
import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import type { StrictNetwork } from '../lib/app/test-stages.ts';
import { PROJECT } from '../lib/project-paths.ts';
import { cdk } from './cdk.ts';

export interface Deployment {
  /** Holds the cloud assembly, the logs and the CDK's caches. */
  readonly directory: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** What is known before the app is deployed. */
export type GivenOutputs = Pick<LocalOutputs, 'endpoint' | 'serviceId' | 'slowStoreUrl'>;

/** A CDK app that the local stack can deploy. */
export interface LocalApp {
  /**
   * Builds its functions and templates. Returns their directory.
   *
   * @param answering the emulator's URL, once it answers
   * @throws ExplainedError if the user must fix something first
   */
  synthesize(deployment: Deployment, answering: Promise<string>): Promise<string>;
  /** What tools need to know of it once it is deployed. */
  outputs(
    deployment: Deployment,
    given: GivenOutputs,
    stacks: StackOutputs,
  ): Promise<Omit<LocalOutputs, 'token'>>;
}

const stackOutputsSchema = z.record(z.string(), z.record(z.string(), z.string()));

/** Output values by stack name and output name. */
export type StackOutputs = z.infer<typeof stackOutputsSchema>;

/**
 * Builds the functions and templates of the local stage, or of `strict` with the network of a test. Returns
 * their directory.
 */
export async function synthesize({
  directory,
  signal,
  testNetwork,
  archive = false,
  workers,
  stageName = 'local',
  project = PROJECT,
}: Deployment & {
  testNetwork?: StrictNetwork;
  archive?: boolean;
  workers?: number | undefined;
  stageName?: 'local' | 'second';
  /** The root of the repository, maybe of another release. @default - this one */
  project?: string;
}): Promise<string> {
  const assembly = join(directory, 'cdk.out');
  const logFile = join(directory, 'synth.log');
  const stage =
    testNetwork === undefined ? `stage=${stageName}` : `testNetwork=${JSON.stringify(testNetwork)}`;
  // Otherwise the bundles of earlier runs would pile up.
  await rm(assembly, { recursive: true, force: true });
  await cdk(
    [
      ...['synth', '--quiet', '--context', stage, '--context', `archive=${archive}`],
      ...(workers === undefined ? [] : ['--context', `workers=${workers}`]),
      ...['--output', assembly],
    ],
    'The CDK app could not be synthesized.',
    { directory, cwd: project, logFile, signal },
  );
  return assembly;
}

/** Creates the bucket for the CDK's bundles and templates. */
export async function bootstrap({ directory, endpoint, signal }: Deployment & { endpoint: string }) {
  const { accountId, region } = LOCAL_ACCOUNT;
  const logFile = join(directory, 'bootstrap.log');
  await cdk(['bootstrap', `aws://${accountId}/${region}`], 'The emulator could not be bootstrapped.', {
    // Not in the project: with cdk.json there, the CLI would synthesize the app again.
    ...{ directory, endpoint, cwd: directory, logFile, signal },
  });
}

/** Deploys all stacks of a cloud assembly, those in stages too, and logs one line for each. */
export async function deployStacks(deployment: Deployment & { endpoint: string; assembly: string }) {
  const { directory, endpoint, assembly, signal } = deployment;
  const outputsFile = join(directory, 'stack-outputs.json');
  await cdk(
    [
      ...['deploy', '**', '--app', assembly, '--outputs-file', outputsFile],
      ...['--require-approval', 'never', '--progress', 'events'],
      // For each change set, the CLI would wait five seconds.
      ...['--method', 'direct', '--concurrency', '4'],
    ],
    'The stacks could not be deployed to the emulator.',
    {
      ...{ directory, endpoint, signal },
      cwd: directory,
      logFile: join(directory, 'deploy.log'),
      onLine: stackLines(deployment.log),
    },
  );
  return stackOutputsSchema.parse(JSON.parse(await readFile(outputsFile, 'utf8')));
}

/** Turns the CLI's two lines at the end of each stack, its name and its time, into one. */
export function stackLines(log: (line: string) => void): (line: string) => void {
  let stack = '';
  return (line) => {
    // Its name is in parentheses, if its id is another.
    const [, id, name = id] = /✅ +(\S+)(?: \((\S+)\))?/.exec(line) ?? [];
    stack = name ?? stack;
    const seconds = /Deployment time: ([\d.]+)s/.exec(line)?.[1];
    if (seconds !== undefined) {
      log(`  ${stack.padEnd(34)} ${Number(seconds).toFixed(1)} s`);
    }
  };
}
