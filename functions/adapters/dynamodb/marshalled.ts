import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { refused } from './refusal.ts';

/**
 * An item as DynamoDB accepts it, without undefined values.
 *
 * @throws RefusedError for what no item can hold: NaN, an infinite number, an unpaired surrogate
 */
export function marshalled(item: Item): Record<string, AttributeValue> {
  if (!isWellFormed(item)) {
    throw refused('it contains an unpaired surrogate, which UTF-8 cannot encode', undefined);
  }
  try {
    return marshall(item, { removeUndefinedValues: true });
  } catch (error) {
    throw refused(String(error), error);
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.isWellFormed();
  }
  return typeof value !== 'object' || value === null
    ? true
    : Object.entries(value).every(([name, of]) => name.isWellFormed() && isWellFormed(of));
}

export type Item = Record<string, unknown>;
