import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { RefusedError } from '../../core/errors/refused-error.ts';

/**
 * DynamoDB refuses the request for its content. Source: "Error handling with DynamoDB", Amazon DynamoDB
 * Developer Guide.
 */
const REFUSALS = new Set(['ValidationException', 'SerializationException']);
/** The same for one item of a transaction. Source: TransactWriteItems, Amazon DynamoDB API Reference. */
const REFUSED_ITEMS = new Set(['ValidationError', 'ItemCollectionSizeLimitExceeded']);
const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

const MAX_EXPLANATION_CHARACTERS = 300;

/** The error of a call that DynamoDB refuses for its content; undefined when the failure may pass. */
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

/** Whether a table or a partition was throttled. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLED.has(error.name);
}

/** Whether DynamoDB answered with a server error. */
export function isServerError(error: unknown): boolean {
  const status = (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata
    ?.httpStatusCode;
  return status !== undefined && status >= 500;
}

/** DynamoDB may quote what it refuses, so the explanation is escaped and bounded. */
export function refused(explanation: string, cause: unknown): RefusedError {
  const plain = explanation.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new RefusedError(plain.slice(0, MAX_EXPLANATION_CHARACTERS), { cause });
}
