import { ExplainedError } from '../local/explained-error.ts';
import { readOutputs } from '../local/outputs.ts';
import type { Connection } from './api-client.ts';

/**
 * Where to call and as whom: by the environment, or the local stack that runs. A token is never an argument: other users of the machine would see it.
 *
 * @throws ExplainedError when only one of both is set, or nothing is and no local stack runs
 */
export async function connectionOf(env: NodeJS.ProcessEnv): Promise<Connection> {
  const { PAYHOOKS_API_URL: apiUrl, PAYHOOKS_TOKEN: token } = env;
  if (apiUrl !== undefined && token !== undefined) {
    return { apiUrl: apiUrl.replace(/\/+$/, '').replace(/\/v1$/, ''), token };
  }
  if (apiUrl !== undefined || token !== undefined) {
    const [set, missing] =
      apiUrl === undefined ? ['PAYHOOKS_TOKEN', 'PAYHOOKS_API_URL'] : ['PAYHOOKS_API_URL', 'PAYHOOKS_TOKEN'];
    throw new ExplainedError(`${set} is set and ${missing} is not: set both, or none to use the local stack`);
  }
  const outputs = await readOutputs().catch(() => {
    throw new ExplainedError(
      'Which API? Set PAYHOOKS_API_URL (the output ApiUrl of the stack payhooks-<stage>-api) and PAYHOOKS_TOKEN, or start the local stack: npm run local',
    );
  });
  return { apiUrl: outputs.apiUrl, token: outputs.token };
}
