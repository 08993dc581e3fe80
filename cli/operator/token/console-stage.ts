import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import {
  type StageLinkRequest,
  stageLinkAnswerSchema,
} from '../../../functions/api/stage-link/stage-link.ts';
import type { StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import type { LocalOutputs } from '../../stage/local-outputs.ts';
import { onEmulator, type ReachedDeployment, reachedDeployment } from '../../stage/reached-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { refusalIn } from '../doctor/permissions/refusal.ts';

/**
 * Where links to the console of a whole stage are made: by functions that IAM lets the caller invoke, or not.
 */
export interface StageConsole {
  /** Of the HTTP API, without a final slash. */
  readonly apiUrl: string;
  /** What AWS calls the person. */
  readonly who: string;
  /** @throws ExplainedError when the caller may not have these rights */
  ask(
    rights: StageRights,
    request: StageLinkRequest,
  ): Promise<ReturnType<typeof stageLinkAnswerSchema.parse>>;
}

/** As the api's record calls those that make links. */
const FUNCTIONS = { 'on-call': 'OnCallLinkFunctionName', analyst: 'AnalystLinkFunctionName' } as const;

/** The console of a stage: of the local one, or of a deployed one by a person's AWS credentials. */
export async function stageConsole(stage: ChosenDeployment): Promise<StageConsole> {
  return consoleOf(await reachedDeployment(stage));
}

export async function localConsole(outputs: LocalOutputs, config?: object): Promise<StageConsole> {
  return consoleOf(await onEmulator(outputs, config));
}

async function consoleOf({ config, value, apiUrl, who }: ReachedDeployment): Promise<StageConsole> {
  return {
    apiUrl: await apiUrl(),
    who: await who(),
    ask: async (rights, request) => asked(config, await value('api', FUNCTIONS[rights]), rights, request),
  };
}

async function asked(
  config: LambdaClientConfig,
  FunctionName: string,
  rights: StageRights,
  request: StageLinkRequest,
) {
  const client = new LambdaClient(config);
  try {
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }),
    );
    if (FunctionError !== undefined) {
      throw new ExplainedError(`The link was not made: ${FunctionName} failed. Its log says why.`);
    }
    return stageLinkAnswerSchema.parse(JSON.parse(new TextDecoder().decode(Payload)));
  } catch (error) {
    if (refusalIn(error) === undefined) {
      throw error;
    }
    throw new ExplainedError(
      `Your AWS role may not make links for ${rights}: sign in with the role of the stage that may (docs/security.md#stage-sessions).`,
    );
  } finally {
    client.destroy();
  }
}
