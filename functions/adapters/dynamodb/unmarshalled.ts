import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './marshalled.ts';

/**
 * An item as DynamoDB has it. A number that JavaScript cannot hold becomes the nearest one that it can: as it
 * comes, the SDK throws at some, and one item would keep a whole page or batch from being read.
 */
export function unmarshalled(item: Readonly<Record<string, AttributeValue>>): Item {
  return unmarshall(item, { wrapNumbers: Number });
}
