import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { paginateGetParametersByPath, SSMClient } from '@aws-sdk/client-ssm';
import { ChosenDeployment } from '../cli/stage/chosen-deployment.ts';
import { findDeployment, recordedValue } from '../cli/stage/find-deployment.ts';
import { clientConfig, LOCAL_ACCOUNT } from '../cli/stage/local-account.ts';
import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import { ExplainedError } from '../cli/terminal/explained-error.ts';
import { APP_DIRECTORY } from '../lib/project-paths.ts';
import { type Part, RECORDS_PATH } from '../lib/recorded-deployment.ts';
import { cdk } from './cdk.ts';
import type { Deployment } from './deploy.ts';
import type { GivenOutputs, LocalApp } from './local-app.ts';
import { outputsBy } from './outputs.ts';

/**
 * The app of whoever installed the package: that of the folder in which they typed the command.
 *
 * @param wanted the name of the deployment that commands are to be about, or of a stack that holds it
 */
export function ownApp(wanted: string | undefined): LocalApp {
  return { synthesize, outputs: (deployment, given) => outputsOfDeployment(deployment, given, wanted) };
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

/** Finds the deployment by what it has recorded of itself. */
async function outputsOfDeployment(
  { log }: Pick<Deployment, 'log'>,
  given: GivenOutputs,
  wanted: string | undefined,
): Promise<Omit<LocalOutputs, 'token'>> {
  const ssm = new SSMClient(clientConfig(given.endpoint));
  const names = await deploymentNames(ssm);
  const [first] = names;
  if (first === undefined) {
    throw new ExplainedError(
      "Your app is deployed, but there is no Payhooks in it: new Payhooks(stack, 'Webhooks', { events })",
    );
  }
  if (wanted === undefined && names.length > 1) {
    log(`Your app has ${names.join(', ')}. Commands here are about ${first}; --stack chooses another.`);
  }
  const chosen = new ChosenDeployment('stack', wanted ?? first);
  const { name, parts, part } = await findDeployment(ssm, chosen, async () => 'the emulator');
  const present = Object.keys(parts) as Part[];
  const values = new Map(
    await Promise.all(present.map(async (of) => [of, (await part(of)).values] as const)),
  );
  ssm.destroy();
  return outputsBy(
    (of, output) => recordedValue(name, of, values.get(of) ?? {}, output),
    (of) => values.has(of),
    { ...given, deployment: name },
  );
}

async function deploymentNames(ssm: SSMClient): Promise<readonly string[]> {
  const names = new Set<string>();
  const pages = paginateGetParametersByPath({ client: ssm }, { Path: RECORDS_PATH, Recursive: true });
  for await (const { Parameters = [] } of pages) {
    for (const { Name = '' } of Parameters) {
      names.add(Name.split('/')[2] ?? '');
    }
  }
  return [...names].sort();
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
