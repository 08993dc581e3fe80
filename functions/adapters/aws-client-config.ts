import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Logs only the SDK's warnings. With an `info` method, even one that does nothing, the SDK would copy each
 * input and output to report it: 3 to 4 % of the time of deliver and match. An `error` method would get the
 * whole input of each failed call, bodies and secrets included, even for expected failures; errors are thrown
 * anyway.
 */
const warningsOnly = { warn: console.warn } as unknown as NonNullable<DynamoDBClientConfig['logger']>;

/**
 * For every AWS client: a call that hangs is ended and retried by the SDK. Without these timeouts it would
 * hold a worker until Lambda ends it, with everything that was sent and not yet recorded.
 */
export const AWS_CLIENT_CONFIG = {
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  logger: warningsOnly,
} as const;
