import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { signingSecretsTable } from '../table-keys.ts';
import type { SealedChange, SealedSecrets } from './sealed-secrets.ts';

/** The transaction item that stores the secrets of a new subscription. */
export function keepSecrets(
  table: string,
  subscriptionId: string,
  secrets: SealedSecrets,
): TransactWriteItem {
  return {
    Put: {
      TableName: table,
      Item: marshall({ [signingSecretsTable.partitionKey]: subscriptionId, ...secrets }),
      // A secret in use is never overwritten: webhooks under way would be signed with an unknown one.
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': signingSecretsTable.partitionKey },
    },
  };
}

/**
 * The transaction items that change the secrets of a subscription without reading them. Empty when nothing
 * changes.
 */
export function changeSecrets(
  table: string,
  subscriptionId: string,
  { added, expiring = {}, removed = [], customHeaders }: SealedChange,
): TransactWriteItem[] {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const secretAt = (id: string) => {
    const name = `#secret_${Object.keys(names).length}`;
    names[name] = id;
    return `#secrets.${name}`;
  };
  const set = (path: string, value: unknown) => {
    const name = `:value_${Object.keys(values).length}`;
    values[name] = value;
    return `${path} = ${name}`;
  };
  const sets = [
    ...(added === undefined ? [] : [set(secretAt(added.secret_id), added.keys)]),
    ...Object.entries(expiring).map(([id, at]) => set(`${secretAt(id)}.#expires_at`, at)),
    ...(customHeaders === undefined ? [] : [set('#custom_headers', customHeaders)]),
  ];
  const removals = removed.map(secretAt);
  if (sets.length + removals.length === 0) {
    return [];
  }
  const known = {
    '#secrets': 'secrets',
    '#expires_at': 'expires_at',
    '#custom_headers': 'custom_headers',
  };
  const UpdateExpression = [
    ...(sets.length === 0 ? [] : [`SET ${sets.join(', ')}`]),
    ...(removals.length === 0 ? [] : [`REMOVE ${removals.join(', ')}`]),
  ].join(' ');
  return [
    {
      Update: {
        TableName: table,
        Key: keyOf(subscriptionId),
        UpdateExpression,
        // Never creates the item: a subscription has all its secrets or none.
        ConditionExpression: 'attribute_exists(#key)',
        ExpressionAttributeNames: {
          '#key': signingSecretsTable.partitionKey,
          ...names,
          // DynamoDB refuses unused attribute names.
          ...Object.fromEntries(Object.entries(known).filter(([name]) => UpdateExpression.includes(name))),
        },
        ...(sets.length === 0
          ? {}
          : { ExpressionAttributeValues: marshall(values, { removeUndefinedValues: true }) }),
      },
    },
  ];
}

/** The transaction item that deletes the secrets of a subscription. */
export function forgetSecrets(table: string, subscriptionId: string): TransactWriteItem {
  return { Delete: { TableName: table, Key: keyOf(subscriptionId) } };
}

function keyOf(subscriptionId: string) {
  return marshall({ [signingSecretsTable.partitionKey]: subscriptionId });
}
