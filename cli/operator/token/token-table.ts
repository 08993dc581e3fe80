import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import type { ApiTokenStore } from '../../../functions/core/api/api-token-store.ts';
import { clientConfig } from '../../../local/local-account.ts';
import { readOutputs } from '../../../local/outputs.ts';
import { stackOutput } from '../../stage/stack-output.ts';
import { inRegionOf } from '../../stage/stage-region.ts';

/** The tokens of a stage: of the local one, or of a deployed one by a person's AWS credentials. */
export async function stageTokens(stage: string): Promise<ApiTokenStore> {
  if (stage === 'local') {
    const { endpoint, tables } = await readOutputs();
    return apiTokenTable(new DynamoDBClient(clientConfig(endpoint)), tables.apiTokens);
  }
  return apiTokenTable(
    new DynamoDBClient(inRegionOf(stage)),
    await stackOutput(stage, 'data', 'ApiTokensTableName'),
  );
}
