/**
 * What the stack sets. `RECEIVER_CONTROL` is `open` where anybody may steer the receiver over HTTP (the local stage); with anything else
 * it is steered by direct invocation only, which IAM guards.
 */
export const RECEIVER_ENV = ['RECEIVER_TABLE', 'RECEIVER_CONTROL'] as const;
export type ReceiverEnv = Record<(typeof RECEIVER_ENV)[number], string>;
