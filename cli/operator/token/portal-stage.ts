import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { portalSessionTable } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { subscriptionRegistry } from '../../../functions/adapters/dynamodb/subscriptions/subscription-registry.ts';
import { cannotSeal } from '../../../functions/adapters/kms/sealing.ts';
import type { ApiTokenStore } from '../../../functions/core/api/api-token-store.ts';
import type { PortalSessionStore } from '../../../functions/core/api/portal/portal-session-store.ts';
import type { SubscriptionRegistry } from '../../../functions/core/api/subscription-registry.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { reachedDeployment } from '../../stage/reached-deployment.ts';
import { stageAccess } from '../../stage/stage-access.ts';

/** What of a stage it takes to let somebody in. */
export interface StagePortal {
  /** Of the HTTP API, without a final slash. */
  readonly apiUrl: string;
  readonly sessions: PortalSessionStore;
  readonly subscriptions: Pick<SubscriptionRegistry, 'list'>;
}

/** The portal of a stage: of the local one, or of a deployed one by a person's AWS credentials. */
export async function stagePortal(stage: ChosenDeployment): Promise<StagePortal> {
  const { config, value, apiUrl: urlOf } = await reachedDeployment(stage);
  const [apiUrl, apiTokens, subscriptions, signingSecrets] = await Promise.all([
    urlOf(),
    value('data', 'ApiTokensTableName'),
    value('data', 'SubscriptionsTableName'),
    value('data', 'SigningSecretsTableName'),
  ]);
  const client = new DynamoDBClient(config);
  return { apiUrl, ...storesOf(client, { apiTokens, subscriptions, signingSecrets }) };
}

function storesOf(
  client: DynamoDBClient,
  { apiTokens, ...tables }: Readonly<Record<'apiTokens' | 'subscriptions' | 'signingSecrets', string>>,
): Omit<StagePortal, 'apiUrl'> {
  return {
    sessions: portalSessionTable(client, apiTokens),
    subscriptions: subscriptionRegistry(client, {
      tables,
      ...DELIVERY_POLICY,
      seal: cannotSeal,
      now: Date.now,
    }),
  };
}

/** The tokens of a stage: of the local one, or of a deployed one by a person's AWS credentials. */
export async function stageTokens(stage: ChosenDeployment): Promise<ApiTokenStore> {
  const { dynamodb, tables } = await stageAccess(stage);
  return apiTokenTable(dynamodb, (await tables()).apiTokens);
}
