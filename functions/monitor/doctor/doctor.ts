import type { SubscriptionRegistry } from '../../core/api/subscription-registry.ts';
import { type SyntheticType, syntheticEvent } from '../../core/event/synthetic-event.ts';
import { type Course, type FollowPorts, follow } from './follow.ts';
import { ensureSubscription, SCHEDULED_SERVICE } from './own-subscription.ts';

export interface DoctorPorts extends FollowPorts {
  readonly syntheticType: SyntheticType;
  readonly registry: Pick<SubscriptionRegistry, 'find' | 'add' | 'revise'>;
  readonly callbackUrl: string;
  /** A unique name for this run. */
  nameRun(): string;
}

/** Far longer than a delivery with all functions cold. The run has to end before Lambda's timeout. */
const DEADLINE_MS = 45_000;
/** Each look costs half a read unit. */
const EVERY_MS = 500;

/** Sends an event of a made-up payment through the whole pipeline and reports how far it got. */
export async function examine(ports: DoctorPorts): Promise<Course> {
  await ensureSubscription(ports.registry, ports.callbackUrl, ports.now());
  const event = syntheticEvent(ports.syntheticType, SCHEDULED_SERVICE, ports.nameRun(), ports.now());
  return follow(event, ports, { deadlineMs: DEADLINE_MS, everyMs: EVERY_MS });
}
