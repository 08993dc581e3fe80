import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** A transaction that DynamoDB refused, with the reason for each of its actions. */
export function cancelled(...codes: string[]) {
  return new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}
