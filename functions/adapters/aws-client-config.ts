import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Says what the SDK warns of. It has no `info`, which the SDK asks for before it puts a copy of each input and output together to be told: with one
 * that does nothing, 3 to 4 % of deliver's and match's time went into that. And it has no `error`: that is told the whole input of a call that failed, bodies and
 * secrets and all, also where the failure is expected; what failed is thrown anyway.
 */
const warningsOnly = { warn: console.warn } as unknown as NonNullable<DynamoDBClientConfig['logger']>;

/**
 * For every AWS client: a call that hangs is given up and tried again by the SDK. Without this one that never answers would hold a worker until
 * Lambda ends it, with all that it has sent and not yet recorded.
 */
export const AWS_CLIENT_CONFIG = {
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  logger: warningsOnly,
} as const;
