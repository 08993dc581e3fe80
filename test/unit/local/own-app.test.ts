import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseOtherAccounts } from '../../../local/own-app.ts';
import { removeScratch, scratch } from './scratch.ts';

afterEach(removeScratch);

async function assemblyWith(environment: string): Promise<string> {
  const [directory, nested] = [await scratch(), 'assembly-Prod'];
  const stack = { type: 'aws:cloudformation:stack', environment, displayName: 'Prod/Shop' };
  const inStage = { type: 'cdk:cloud-assembly', properties: { directoryName: nested } };
  await mkdir(join(directory, nested));
  for (const [folder, artifacts] of [
    ['.', { Tree: { type: 'cdk:tree' }, [nested]: inStage }],
    [nested, { ProdShop: stack }],
  ] as const) {
    await writeFile(join(directory, folder, 'manifest.json'), JSON.stringify({ artifacts }));
  }
  return directory;
}

test.each(['aws://unknown-account/unknown-region', 'aws://000000000000/eu-west-1'])(
  'a stack for %s is deployed to the emulator',
  async (environment) => {
    await expect(refuseOtherAccounts(await assemblyWith(environment))).resolves.toBeUndefined();
  },
);

test.each(['aws://111122223333/eu-west-1', 'aws://unknown-account/us-east-1'])(
  'a stack for %s is not, in a stage either: the error says what to change',
  async (environment) => {
    await expect(refuseOtherAccounts(await assemblyWith(environment))).rejects.toThrow(
      `The stack Prod/Shop is for ${environment}, and the emulator is aws://000000000000/eu-west-1.\nLet it be where its deployer is: env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION }`,
    );
  },
);
