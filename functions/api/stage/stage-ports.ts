import type { StageFigures } from '../../core/analysis/ports.ts';
import type { OperatorsTrail } from '../../core/api/operators-trail.ts';
import type { StageSessionStore } from '../../core/api/stage/stage-session-store.ts';
import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { OperationalEvent } from '../../core/operational-events/operational-event.ts';
import type { WhatWaits } from '../../core/ordering/waiting-work.ts';
import type { EndpointHealthStore, Subscriptions } from '../../core/subscription/ports.ts';
import type { Troubled } from '../../core/trouble/troubled.ts';
import type { ApiPorts } from '../api-request.ts';

/** A queue of the stage, by the alarm about it, which leads into the runbook: `events-oldest`. */
interface StageQueue {
  readonly runbook: string;
  /** Records that can be received now. */
  readonly waiting: number;
  /** Not measured where AWS has no metric of it. */
  readonly oldest_seconds?: number;
}

/** What it takes to look at a whole stage, and to operate its circuits. */
export interface StagePorts extends Pick<ApiPorts, 'arm' | 'now' | 'policy'> {
  readonly sessions: Pick<StageSessionStore, 'find' | 'exchange' | 'revoke'>;
  readonly operators: OperatorsTrail;
  readonly subscription: Subscriptions['subscription'];
  readonly changeEndpointHealth: EndpointHealthStore['changeEndpointHealth'];
  /** May be some seconds old. */
  troubled(limit: number): Promise<Troubled>;
  isBacklogEmpty(subscriptionId: string): Promise<boolean>;
  waits(): Promise<WhatWaits>;
  /** May be some seconds old. */
  queues(): Promise<{ readonly work: readonly StageQueue[]; readonly dead_letters: readonly StageQueue[] }>;
  /** For one request: it counts what that reads. */
  figures(): StageFigures;
  /** Tells the operators' bus. Never rejects. */
  tell(events: readonly OperationalEvent[]): Promise<void>;
  /** Something that was done could not be recorded to its end. */
  warn(text: string): void;
  readonly policy: DeliveryPolicy;
  /** Which stage this is, and in which AWS account. */
  readonly deployment: { readonly name: string; readonly account: string };
}
