import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import type { ApiTokenStore } from '../../../functions/core/api/api-token-store.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { stageAccess } from '../../stage/stage-access.ts';

/** The tokens of a stage: of the local one, or of a deployed one by a person's AWS credentials. */
export async function stageTokens(stage: ChosenDeployment): Promise<ApiTokenStore> {
  const { dynamodb, tables } = await stageAccess(stage);
  return apiTokenTable(dynamodb, (await tables()).apiTokens);
}
