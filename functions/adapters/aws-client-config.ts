/**
 * For every AWS client: a call that hangs is given up and tried again by the SDK. Without this one that never answers would hold a worker until
 * Lambda ends it, with all that it has sent and not yet recorded.
 */
export const AWS_CLIENT_CONFIG = {
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
} as const;
