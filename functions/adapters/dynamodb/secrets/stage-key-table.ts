import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  STAGE_KEYS,
  type StageKeyChange,
  type StageKeySet,
  stageKeySetSchema,
} from '../../../core/attempt/stage-keys.ts';
import type { Seal } from '../../kms/sealing.ts';
import { writeTogether } from '../subscriptions/service-routes.ts';
import { subscriptionsTable } from '../table-keys.ts';
import { sealKeys } from './sealed-secrets.ts';
import { changeSecrets, keepSecrets } from './signing-secret-store.ts';

const { partitionKey, sortKey, stageKeys } = subscriptionsTable;

/** The public halves of the stage's keys. Undefined when it has none. */
export function stageKeyReader(
  client: DynamoDBClient,
  table: string,
): () => Promise<StageKeySet | undefined> {
  return async () => {
    const Key = marshall({ [partitionKey]: stageKeys, [sortKey]: stageKeys });
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item === undefined ? undefined : stageKeySetSchema.parse(unmarshall(Item));
  };
}

/**
 * Writes both halves in one transaction.
 *
 * @param before that the change was made from
 * @returns false, with nothing written, when another change was faster
 */
export async function changeStageKeys(
  client: DynamoDBClient,
  tables: { readonly subscriptions: string; readonly signingSecrets: string },
  seal: Seal,
  before: StageKeySet | undefined,
  { keys, added, expiring, removed }: StageKeyChange,
): Promise<boolean> {
  const id = added.listed.kid;
  const sealed = await sealKeys(seal, STAGE_KEYS, added.kept);
  return writeTogether(
    client,
    [publicHalves(tables.subscriptions, before?.version, keys)],
    before === undefined
      ? [keepSecrets(tables.signingSecrets, STAGE_KEYS, { secrets: { [id]: sealed } })]
      : changeSecrets(tables.signingSecrets, STAGE_KEYS, {
          added: { secret_id: id, keys: sealed },
          expiring,
          removed,
        }),
  );
}

function publicHalves(
  table: string,
  version: number | undefined,
  keys: StageKeyChange['keys'],
): TransactWriteItem {
  return {
    Update: {
      TableName: table,
      Key: marshall({ [partitionKey]: stageKeys, [sortKey]: stageKeys }),
      UpdateExpression: 'SET #keys = :keys, #version = :next',
      // Nobody has changed them since they were read.
      ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :current',
      ExpressionAttributeNames: { '#keys': 'keys', '#version': 'version' },
      ExpressionAttributeValues: marshall(
        { ':keys': keys, ':next': (version ?? 0) + 1, ':current': version },
        { removeUndefinedValues: true },
      ),
    },
  };
}
