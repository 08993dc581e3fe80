import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientConfig } from '../../local/local-account.ts';
import { readOutputs } from '../../local/outputs.ts';
import { bus, type PutEvents } from '../publisher/publish.ts';
import { stackOutput } from './stack-output.ts';
import { inRegionOf } from './stage-region.ts';

/**
 * The bus of a stage: of the running local stack, or of a deployed stage in the account and region of the
 * person's credentials.
 *
 * @throws ExplainedError when the local stack does not run, or the deployed stage has no bus
 */
export async function stageBus(stage: string): Promise<PutEvents> {
  if (stage === 'local') {
    const { endpoint, busName } = await readOutputs();
    return bus(new EventBridgeClient(clientConfig(endpoint)), busName);
  }
  const name = await stackOutput(stage, 'pipeline', 'BusName');
  return bus(new EventBridgeClient(inRegionOf(stage)), name);
}
