import { SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ChosenDeployment, inRegionOf } from './chosen-deployment.ts';
import { type Deployment, findDeployment } from './find-deployment.ts';
import { clientConfig } from './local-account.ts';
import { type LocalOutputs, readOutputs } from './local-outputs.ts';

/** A deployment as a person reaches it: with their AWS credentials, or on the emulator. */
export interface ReachedDeployment extends Deployment {
  /** Of AWS clients. */
  readonly config: object;
  /** Of the HTTP API, without a final slash. */
  apiUrl(): Promise<string>;
  /** What AWS calls the person. */
  who(): Promise<string>;
}

/** @throws ExplainedError when there is no such deployment, or the local stack does not run */
export async function reachedDeployment(chosen: ChosenDeployment): Promise<ReachedDeployment> {
  if (chosen.isLocal) {
    return onEmulator(await readOutputs());
  }
  const config = inRegionOf(chosen);
  const sts = new STSClient(config);
  const deployment = await findDeployment(new SSMClient(config), chosen, async () => {
    const { Account } = await sts.send(new GetCallerIdentityCommand());
    return `the account ${Account} in ${await sts.config.region()}`;
  });
  return {
    ...deployment,
    config,
    apiUrl: async () => (await deployment.value('api', 'ApiUrl')).replace(/\/$/, ''),
    async who() {
      const { Arn = 'unknown' } = await sts.send(new GetCallerIdentityCommand());
      return Arn;
    },
  };
}

/** @param config of AWS clients. @default - the account's root */
export async function onEmulator(
  { endpoint, deployment, apiUrl }: Pick<LocalOutputs, 'endpoint' | 'deployment' | 'apiUrl'>,
  config: object = clientConfig(endpoint),
): Promise<ReachedDeployment> {
  const chosen = new ChosenDeployment('stack', deployment);
  return {
    ...(await findDeployment(new SSMClient(config), chosen, async () => `the emulator at ${endpoint}`)),
    config,
    apiUrl: async () => apiUrl,
    who: async () => 'local',
  };
}
