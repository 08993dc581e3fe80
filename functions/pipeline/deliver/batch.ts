import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { AnswerCounts } from './endpoint/answer-counts.ts';
import type { EndpointHealths } from './endpoint/endpoint-healths.ts';
import type { UnderWay } from './endpoint/under-way.ts';
import type { Outbox } from './outbox.ts';
import type { DeliverPorts, Found } from './ports.ts';

/** What all groups of a batch share. */
export interface Batch {
  readonly found: Found;
  readonly outbox: Outbox;
  readonly healths: EndpointHealths;
  readonly underWay: UnderWay;
  readonly answerCounts: AnswerCounts;
  readonly ports: DeliverPorts;
  readonly policy: DeliveryPolicy;
  /** No attempt is started that could end after this, in ms since 1970. */
  readonly attemptsUntilMs: number;
  /** Until then writing is tried again and again. */
  readonly writesUntilMs: number;
}

/** Something of ours keeps one message from being sent, and will until somebody has mended it: its key waits, nobody else. */
export class FaultOfOneError extends Error {
  override readonly name = 'FaultOfOneError';
}

/** Something could not be had just now, as when a partition has too much to do: who depends on it comes again. */
export class UntakenError extends Error {
  override readonly name = 'UntakenError';
  constructor(what: string) {
    super(`${what}: could not be read, too much at once`);
  }
}
