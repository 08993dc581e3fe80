import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { LOCAL_ACCOUNT } from '../cli/stage/local-account.ts';
import { ExplainedError } from '../cli/terminal/explained-error.ts';
import { APP_DIRECTORY } from '../lib/project-paths.ts';
import { cdk } from './cdk.ts';
import type { Deployment } from './deploy.ts';

/**
 * Builds the templates of the app in the folder that a command was typed in. It is told the emulator's account
 * and region as its own. Returns their directory.
 *
 * @throws ExplainedError when there is no app, or one for other accounts
 */
export async function synthesizeOwnApp({ directory, endpoint, signal }: Deployment & { endpoint: string }) {
  const assembly = join(directory, 'cdk.out');
  if (!existsSync(join(APP_DIRECTORY, 'cdk.json'))) {
    throw new ExplainedError(
      `There is no cdk.json in ${APP_DIRECTORY}: go to the folder of the CDK app that has your Payhooks.`,
    );
  }
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
