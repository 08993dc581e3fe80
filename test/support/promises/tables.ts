import type { Answers } from '../../../functions/core/attempt/answers.ts';
import type { SlowAttempts } from '../../../functions/core/circuit/crowding.ts';
import type { EndpointHealth } from '../../../functions/core/circuit/health-shape.ts';
import type { ReadContents } from '../../../functions/core/message/look-into.ts';
import type { ResourceName } from '../../../functions/core/message/message.ts';
import type { PastPage, Recovery } from '../../../functions/core/message/recovery.ts';
import type { InBacklog } from '../../../functions/core/ordering/circuit-timer.ts';
import type { LeaseStore, OrderingKeyStore } from '../../../functions/core/ordering/ports.ts';
import type { SequenceStore } from '../../../functions/core/sequence/ports.ts';
import type { Overdue } from '../../../functions/core/signal/overdue.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import type { Commits } from './commits.ts';

/** One subscription's endpoint health. */
interface Circuits {
  health(): Promise<EndpointHealth | undefined>;
  /** Writes once; false when it is not `before` any more. */
  replace(before: EndpointHealth, after: EndpointHealth): Promise<boolean>;
}

interface Counts {
  drains(): Promise<number>;
  recovering(serviceId: string): Promise<number>;
  saySlow(own: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SlowAttempts> | undefined>;
  slowAttempts(subscriptionId: string): Promise<SlowAttempts>;
  countAnswers(subscriptionId: string, more: Answers): Promise<void>;
  answers(subscriptionId: string): Promise<Answers>;
}

/**
 * What the pipeline keeps in DynamoDB, as one engine keeps it. Indexes do not lag. Tests use names of their
 * own, so they may share tables.
 */
export interface Tables extends Commits, LeaseStore {
  readonly waitingIn: OrderingKeyStore['waitingIn'];
  backlog(subscriptionId: string, max: number, from?: string): Promise<readonly InBacklog[]>;
  waiting(subscriptionId: string, max: number): Promise<number>;
  /** All that is overdue at an instant. */
  overdue(until: string): Promise<readonly Overdue[]>;
  moveOverdue(overdue: Overdue, to: string): Promise<boolean>;
  /** A thousand messages at a time, or the instant that fills them. */
  pastMessages(
    of: Pick<Recovery, 'service_id' | 'subscription_id' | 'continue_at' | 'until'>,
  ): Promise<PastPage>;
  readonly contents: ReadContents;
  /** Keeps the resource of an event apart from its messages. */
  keepResource(event: ResourceName, resource: string, admittedAtMs: number): Promise<void>;
  readonly sequences: SequenceStore;
  readonly recoveries: {
    /** False while another one of the subscription is running. */
    start(recovery: Recovery): Promise<boolean>;
    find(of: Pick<Recovery, 'service_id' | 'subscription_id'>): Promise<Recovery | undefined>;
    advance(before: Recovery, after: Recovery): Promise<boolean>;
  };
  circuits(subscription: Subscription): Promise<Circuits>;
  /** With a clock that stands still. */
  readonly counts: Counts;
}
