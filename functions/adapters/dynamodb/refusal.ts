import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { RefusedError } from '../../core/errors/refused-error.ts';

/** For what is in the request. Source: "Error handling with DynamoDB", Amazon DynamoDB Developer Guide. */
const REFUSALS = new Set(['ValidationException', 'SerializationException']);
/** The same of one item of a transaction. Source: TransactWriteItems, Amazon DynamoDB API Reference. */
const REFUSED_ITEMS = new Set(['ValidationError', 'ItemCollectionSizeLimitExceeded']);
const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

const LONGEST_EXPLANATION = 300;

/** The error of a call that DynamoDB refuses for what is in it; undefined of one that may pass. */
export function refusalOf(error: unknown): RefusedError | undefined {
  if (error instanceof RefusedError) {
    return error;
  }
  if (error instanceof TransactionCanceledException) {
    const reason = error.CancellationReasons?.find(({ Code = '' }) => REFUSED_ITEMS.has(Code));
    return reason && refused(`${reason.Code}: ${reason.Message}`, error);
  }
  return error instanceof Error && REFUSALS.has(error.name)
    ? refused(`${error.name}: ${error.message}`, error)
    : undefined;
}

/** Whether it was too much at once, for a table or for one partition of it. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLED.has(error.name);
}

/** Whether DynamoDB has answered, and says that it has failed. */
export function isServerError(error: unknown): boolean {
  const status = (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata
    ?.httpStatusCode;
  return status !== undefined && status >= 500;
}

/** DynamoDB may quote what it refuses: escaped, and bounded. */
export function refused(explanation: string, cause: unknown): RefusedError {
  const plain = explanation.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new RefusedError(plain.slice(0, LONGEST_EXPLANATION), { cause });
}
