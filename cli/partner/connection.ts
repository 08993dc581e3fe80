import { readOutputs } from '../stage/local-outputs.ts';
import { ExplainedError } from '../terminal/explanation.ts';
import type { Connection } from './api-client.ts';

/**
 * The API and the token: from the environment, or of the local stack that runs. A token is never an argument:
 * other users of the machine would see it.
 *
 * @throws ExplainedError when only one of both is set, or one is not what it should be, or nothing is set and
 * no local stack runs
 */
export async function connectionOf(env: NodeJS.ProcessEnv): Promise<Connection> {
  const { PAYHOOKS_API_URL: apiUrl, PAYHOOKS_TOKEN: token } = env;
  if (apiUrl !== undefined && token !== undefined) {
    return { apiUrl: vettedUrl(apiUrl), token: vettedToken(token), doubt: 'Is PAYHOOKS_API_URL right?' };
  }
  if (apiUrl !== undefined || token !== undefined) {
    const [set, missing] =
      apiUrl === undefined ? ['PAYHOOKS_TOKEN', 'PAYHOOKS_API_URL'] : ['PAYHOOKS_API_URL', 'PAYHOOKS_TOKEN'];
    throw new ExplainedError(`${set} is set and ${missing} is not: set both, or none to use the local stack`);
  }
  const outputs = await readOutputs().catch(() => {
    throw new ExplainedError(
      'Which API? Set PAYHOOKS_API_URL (ApiUrl of: npm run ops -- outputs --stage NAME) and PAYHOOKS_TOKEN, or start the local stack: npm run local',
    );
  });
  return { apiUrl: outputs.apiUrl, token: outputs.token, doubt: 'Does the local stack still run?' };
}

function vettedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ExplainedError(
      `PAYHOOKS_API_URL must be a URL such as https://abc.execute-api.eu-west-1.amazonaws.com, not ${JSON.stringify(text)}`,
    );
  }
  return text.trim().replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Errors do not repeat it: something that is nearly a token is a secret too. */
function vettedToken(text: string): string {
  const token = text.trim();
  if (token === '') {
    throw new ExplainedError('PAYHOOKS_TOKEN is empty.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ExplainedError(
      'PAYHOOKS_TOKEN is not a token: it has spaces, or characters that a header cannot have.',
    );
  }
  return token;
}
