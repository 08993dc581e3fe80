import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** A transaction that DynamoDB refused, with the reason for each of its actions. */
export function cancelled(...codes: string[]) {
  return new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/** A write that DynamoDB refused for its condition; with the item that is there, if that was asked for. */
export function conditionFailed(item?: object) {
  return new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: {},
    ...(item === undefined ? {} : { Item: marshall(item, { removeUndefinedValues: true }) }),
  });
}
