import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { refused } from './refusal.ts';

/**
 * An item as DynamoDB takes it, without what is undefined.
 *
 * @throws RefusedError for what no item can hold: a number that is none, half of a surrogate pair
 */
export function marshalled(item: Item): Record<string, AttributeValue> {
  if (!isWellFormed(item)) {
    throw refused('it holds half of a surrogate pair, which UTF-8 has none of', undefined);
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
