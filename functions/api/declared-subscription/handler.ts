import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { keptSecrets } from '../../adapters/secrets-manager/kept-secrets.ts';
import { SIGNING_SECRET_BYTES, secretOf } from '../../core/attempt/signing-keys.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { logger } from '../../telemetry/logger.ts';
import { askApi } from './ask-api.ts';
import { answerCloudFormation, type Outcome } from './cloudformation-answer.ts';
import { type DeclarationRequest, declarationRequestOf } from './declaration.ts';
import { declaredSubscription, NOT_CREATED } from './declared-subscription.ts';
import { DECLARED_SUBSCRIPTION_ENV } from './env.ts';

const env = readEnv(DECLARED_SUBSCRIPTION_ENV, process.env);
/** The API may look a host up for some seconds. */
const { requestHandler } = AWS_CLIENT_CONFIG;
const lambda = new LambdaClient({
  ...AWS_CLIENT_CONFIG,
  requestHandler: { ...requestHandler, requestTimeout: 30_000 },
});
const ports = {
  ask: askApi(lambda, env.API_FUNCTION),
  secrets: keptSecrets(new SecretsManagerClient(AWS_CLIENT_CONFIG)),
  newSecret: () => secretOf(randomBytes(SIGNING_SECRET_BYTES)),
  wait: (ms: number) => delay(ms),
};

/** The request is not logged: its URL lets whoever has it answer in our place. */
export const handler = async (event: unknown): Promise<void> => {
  const request = declarationRequestOf(event);
  await answerCloudFormation(request, await outcomeOf(request));
};

async function outcomeOf(request: DeclarationRequest): Promise<Outcome> {
  const { RequestType: type, StackId: stack } = request;
  try {
    const id = await declaredSubscription(request, ports);
    logger.info('subscription.declared', { type, stack, subscription_id: id });
    return { status: 'SUCCESS', id };
  } catch (error) {
    logger.error('subscription.not_declared', { type, stack, error: error as Error });
    const id = 'PhysicalResourceId' in request ? request.PhysicalResourceId : NOT_CREATED;
    return { status: 'FAILED', id, reason: (error as Error).message };
  }
}
