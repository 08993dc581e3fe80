import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyValidationError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import type { Answer } from '../../../core/api/answer.ts';
import {
  type Idempotency,
  type IdempotentRequest,
  isFulfilled,
  lastingOf,
  REMEMBERED_SECONDS,
} from '../../../core/api/idempotency.ts';
import { idempotencyTable } from '../table-keys.ts';

interface Options {
  readonly table: string;
  /**
   * Called when an answer could not be stored, or a refusal could not be removed; the request was answered
   * all the same.
   */
  lost(error: Error): void;
}

/** Thrown so that Powertools removes its record of a refused request. */
class RefusedError extends Error {}

/** @throws when the environment disables Powertools' idempotency, which partners rely on */
export function idempotencyStore(client: DynamoDBClient, { table, lost }: Options): Idempotency {
  const settings = {
    eventKeyJmesPath: '[serviceId, key]',
    payloadValidationJmesPath: 'fingerprint',
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: REMEMBERED_SECONDS,
    hashFunction: 'sha256',
    // Always asks the table: another worker may have carried out the request.
    useLocalCache: false,
  };
  if (!new IdempotencyConfig(settings).isEnabled()) {
    throw new Error('POWERTOOLS_IDEMPOTENCY_DISABLED is set: repeated requests would be carried out again');
  }
  const persistenceStore = new DynamoDBPersistenceLayer({
    awsSdkV3Client: client,
    tableName: table,
    keyAttr: idempotencyTable.partitionKey,
    expiryAttr: idempotencyTable.timeToLive,
    inProgressExpiryAttr: 'in_progress_until_ms',
    validationKeyAttr: 'fingerprint',
    dataAttr: 'answer',
  });

  return {
    async once(request, handle, remainingMs) {
      // One per request, because several are under way at the same time and Powertools asks it when the
      // invocation ends. Zero would mean no expiry.
      const lambdaContext = { getRemainingTimeInMillis: () => Math.max(1, remainingMs()) } as Context;
      const config = new IdempotencyConfig({ ...settings, lambdaContext });
      let given: Answer | undefined;
      const remembering = makeIdempotent(
        async (_: IdempotentRequest) => {
          given = await handle();
          if (!isFulfilled(given)) {
            throw new RefusedError();
          }
          // As text: DynamoDB refuses undefined members.
          return JSON.stringify(lastingOf(given));
        },
        { persistenceStore, config, keyPrefix: 'v1' },
      );
      try {
        const remembered = await remembering(request);
        return given === undefined
          ? { kind: 'done', answer: JSON.parse(remembered), isRepeat: true }
          : { kind: 'done', answer: given, isRepeat: false };
      } catch (error) {
        if (given !== undefined) {
          if (!(error instanceof RefusedError)) {
            lost(error as Error);
          }
          return { kind: 'done', answer: given, isRepeat: false };
        }
        if (error instanceof IdempotencyAlreadyInProgressError) {
          return { kind: 'in_progress' };
        }
        if (error instanceof IdempotencyValidationError) {
          return { kind: 'other_request' };
        }
        throw error;
      }
    },
  };
}
