import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyValidationError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import type { Answer } from '../../../api/answer.ts';
import {
  type Idempotency,
  isFulfilled,
  lastingOf,
  REMEMBERED_SECONDS,
  type SignalKind,
} from '../../../api/idempotency.ts';
import { idempotencyTable } from '../table-keys.ts';

interface Options {
  readonly table: string;
  /** An answer that could not be remembered, or a refusal that could not be forgotten, was given all the same. */
  lost(error: Error): void;
}

/** Rolls back what Powertools has written of a wish that was refused. */
class RefusedError extends Error {}

/** @throws when the environment disables Powertools' idempotency: partners rely on it */
export function idempotencyStore(client: DynamoDBClient, { table, lost }: Options): Idempotency {
  const settings = {
    eventKeyJmesPath: '[serviceId, key]',
    payloadValidationJmesPath: 'fingerprint',
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: REMEMBERED_SECONDS,
    hashFunction: 'sha256',
    // The table is asked each time: another worker may have carried the wish out.
    useLocalCache: false,
  };
  if (!new IdempotencyConfig(settings).isEnabled()) {
    throw new Error('POWERTOOLS_IDEMPOTENCY_DISABLED is set: no request would be carried out only once');
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
    async once(signalKind, act, remainingMs) {
      // One for each wish: Powertools asks it when the invocation ends, and others are under way beside it. Zero would mean for ever.
      const lambdaContext = { getRemainingTimeInMillis: () => Math.max(1, remainingMs()) } as Context;
      const config = new IdempotencyConfig({ ...settings, lambdaContext });
      let given: Answer | undefined;
      const remembering = makeIdempotent(
        async (_: SignalKind) => {
          given = await act();
          if (!isFulfilled(given)) {
            throw new RefusedError();
          }
          // As text: DynamoDB would refuse a member that is undefined.
          return JSON.stringify(lastingOf(given));
        },
        { persistenceStore, config, keyPrefix: 'v1' },
      );
      try {
        const remembered = await remembering(signalKind);
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
