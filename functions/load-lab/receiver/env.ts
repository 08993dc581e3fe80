/**
 * The environment variables that the stack sets for `receiver`. With `RECEIVER_CONTROL=open` anybody can
 * control the receiver over HTTP (local stage only). Otherwise it takes control requests only by direct
 * invocation, which IAM protects.
 */
export const RECEIVER_ENV = ['RECEIVER_TABLE', 'RECEIVER_CONTROL'] as const;
export type ReceiverEnv = Record<(typeof RECEIVER_ENV)[number], string>;
