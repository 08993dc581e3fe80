import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { KeptSecrets } from '../../../core/attempt/signing-keys.ts';
import type { SecretsChange } from '../../../core/subscription/secret-rotation.ts';
import { signingSecretsTable } from '../table-keys.ts';

/** The part of a transaction that keeps what is secret of a new subscription. */
export function keepSecrets(table: string, subscriptionId: string, secrets: KeptSecrets): TransactWriteItem {
  return {
    Put: {
      TableName: table,
      Item: marshall({ [signingSecretsTable.partitionKey]: subscriptionId, ...secrets }),
      // A secret in use is never overwritten: deliveries under way would be signed with one that nobody knows.
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': signingSecretsTable.partitionKey },
    },
  };
}

/** The part of a transaction that changes what is secret of a subscription, without having read it. Empty when that is nothing. */
export function changeSecrets(
  table: string,
  subscriptionId: string,
  { added, expiring = {}, removed = [], customHeaders }: SecretsChange,
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
    ...(added === undefined ? [] : [set(secretAt(added.info.secret_id), added.keys)]),
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
        // Where there is nothing, nothing is begun: a subscription has all its secrets or none.
        ConditionExpression: 'attribute_exists(#key)',
        ExpressionAttributeNames: {
          '#key': signingSecretsTable.partitionKey,
          ...names,
          // DynamoDB refuses names that no expression uses.
          ...Object.fromEntries(Object.entries(known).filter(([name]) => UpdateExpression.includes(name))),
        },
        ...(sets.length === 0
          ? {}
          : { ExpressionAttributeValues: marshall(values, { removeUndefinedValues: true }) }),
      },
    },
  ];
}

/** The part of a transaction that forgets all that is secret of a subscription. */
export function forgetSecrets(table: string, subscriptionId: string): TransactWriteItem {
  return { Delete: { TableName: table, Key: keyOf(subscriptionId) } };
}

function keyOf(subscriptionId: string) {
  return marshall({ [signingSecretsTable.partitionKey]: subscriptionId });
}
