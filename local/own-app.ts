import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { LOCAL_ACCOUNT } from '../cli/stage/local-account.ts';
import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import { ExplainedError } from '../cli/terminal/explanation.ts';
import { APP_DIRECTORY } from '../lib/project-paths.ts';
import { stageDeployment } from '../lib/recorded-deployment.ts';
import { cdk } from './cdk.ts';
import type { Deployment, GivenOutputs, LocalApp, StackOutputs } from './deploy.ts';
import { outputsBy } from './outputs.ts';

/**
 * The app of whoever installed the package: that of the folder in which they typed the command.
 *
 * @param wanted the name of the deployment that commands are to be about. @default - the first
 */
export function ownApp(wanted: string | undefined): LocalApp {
  return {
    synthesize,
    outputs: async (deployment, given, stacks) => outputsOfDeployment(deployment, given, stacks, wanted),
  };
}

/** It is told the emulator's account and region as its own. */
async function synthesize({ directory, signal }: Deployment, answering: Promise<string>): Promise<string> {
  const assembly = join(directory, 'cdk.out');
  if (!existsSync(join(APP_DIRECTORY, 'cdk.json'))) {
    throw new ExplainedError(
      `There is no cdk.json in ${APP_DIRECTORY}: go to the folder of the CDK app that has your Payhooks.`,
    );
  }
  const endpoint = await answering;
  await rm(assembly, { recursive: true, force: true });
  await cdk(
    ['synth', '--quiet', '--context', 'payhooks:local=true', '--output', assembly],
    'Your app could not be synthesized.',
    { directory, endpoint, signal, cwd: APP_DIRECTORY, logFile: join(directory, 'synth.log') },
  );
  await refuseOtherAccounts(assembly);
  return assembly;
}

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      environment: z.string().optional(),
      displayName: z.string().optional(),
      properties: z.object({ directoryName: z.string().optional() }).optional(),
    }),
  ),
});

/** Where stacks may be that are to be deployed to the emulator: nowhere in particular, or there. */
const HERE = new RegExp(
  `^aws://(unknown-account|${LOCAL_ACCOUNT.accountId})/(unknown-region|${LOCAL_ACCOUNT.region})$`,
);

const toldSchema = z.object({
  deployment: z.string(),
  parts: z.record(z.string(), z.record(z.string(), z.string())),
});

/** What each Payhooks of an app says of itself when it is in a local stack: lib/payhooks.ts. */
export function deploymentsIn(stacks: StackOutputs): readonly z.infer<typeof toldSchema>[] {
  return Object.values(stacks)
    .flatMap((outputs) => Object.entries(outputs))
    .filter(([name]) => /Local[0-9A-F]{8}$/.test(name))
    .map(([, value]) => toldSchema.parse(JSON.parse(value)))
    .sort((one, other) => (one.deployment < other.deployment ? -1 : 1));
}

/** @throws ExplainedError when there is no Payhooks in the app, or none with the name that is wanted */
function outputsOfDeployment(
  { log }: Pick<Deployment, 'log'>,
  given: GivenOutputs,
  stacks: StackOutputs,
  wanted: string | undefined,
): Omit<LocalOutputs, 'token'> {
  const all = deploymentsIn(stacks);
  const names = all.map(({ deployment }) => deployment).join(', ');
  const chosen = wanted === undefined ? all[0] : all.find(({ deployment }) => deployment === wanted);
  if (chosen === undefined) {
    throw new ExplainedError(
      wanted === undefined
        ? "Your app is deployed, but there is no Payhooks in it: new Payhooks(stack, 'Webhooks', {})"
        : `Your app has no Payhooks called ${wanted}, but: ${names}`,
    );
  }
  if (wanted === undefined && all.length > 1) {
    log(`Your app has ${names}. Commands here are about ${chosen.deployment}; --stack chooses another.`);
  }
  const output = (part: string, name: string): string => {
    const value = chosen.parts[part]?.[name];
    if (value === undefined) {
      throw new Error(`the part ${part} of ${chosen.deployment} has no output ${name}`);
    }
    return value;
  };
  return outputsBy(output, (part) => part in chosen.parts, {
    ...given,
    deployment: stageDeployment(chosen.deployment),
  });
}

/** @throws ExplainedError when a stack is for another account or region */
export async function refuseOtherAccounts(assembly: string): Promise<void> {
  const text = await readFile(join(assembly, 'manifest.json'), 'utf8');
  const { artifacts } = manifestSchema.parse(JSON.parse(text));
  for (const [id, { type, environment = '', displayName = id, properties }] of Object.entries(artifacts)) {
    if (type === 'cdk:cloud-assembly') {
      await refuseOtherAccounts(join(assembly, properties?.directoryName ?? ''));
    }
    if (type === 'aws:cloudformation:stack' && !HERE.test(environment)) {
      throw new ExplainedError(
        `The stack ${displayName} is for ${environment}, and the emulator is aws://${LOCAL_ACCOUNT.accountId}/${LOCAL_ACCOUNT.region}.\n` +
          'Let it be where its deployer is: env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION }',
      );
    }
  }
}
