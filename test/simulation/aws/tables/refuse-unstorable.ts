import { type Item, marshalled } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import { RefusedError } from '../../../../functions/core/errors/refused-error.ts';

/** Source: "Quotas in Amazon DynamoDB", Amazon DynamoDB Developer Guide. */
const LARGEST_ITEM_BYTES = 400 * 1024;

/** @throws RefusedError when DynamoDB would refuse the item: for its size, or for what no item can hold */
export function refuseUnstorable(item: Item): void {
  const bytes = JSON.stringify(marshalled(item)).length;
  if (bytes > LARGEST_ITEM_BYTES) {
    throw new RefusedError(`an item of ${bytes} bytes, of at most ${LARGEST_ITEM_BYTES}`);
  }
}
