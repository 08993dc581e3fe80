import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { Found } from '../../core/ordering/delivery-reader.ts';
import type { EndpointCounts } from './endpoint/endpoint-counts.ts';
import type { EndpointHealths } from './endpoint/endpoint-healths.ts';
import type { Outbox } from './outbox.ts';
import type { DeliverPorts } from './ports.ts';

/** What all groups of a batch share. */
export interface Batch {
  readonly found: Found;
  readonly outbox: Outbox;
  readonly endpointHealths: EndpointHealths;
  readonly endpointCounts: EndpointCounts;
  readonly ports: DeliverPorts;
  readonly policy: DeliveryPolicy;
  /** No attempt starts that could end after this, in ms since 1970. */
  readonly attemptsUntilMs: number;
  /** Until then failed writes are retried, in ms since 1970. */
  readonly writesUntilMs: number;
}

/**
 * Something of ours keeps one message from being sent, and will until an operator has fixed it: its ordering
 * key waits, and no other.
 */
export class UnsendableError extends Error {
  override readonly name = 'UnsendableError';
}

/** Something could not be read just now, as when a partition is throttled: what depends on it comes again. */
export class UntakenError extends Error {
  override readonly name = 'UntakenError';
  constructor(what: string) {
    super(`${what}: could not be read, too much at once`);
  }
}
