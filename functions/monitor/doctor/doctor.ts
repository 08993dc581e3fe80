import type { SubscriptionRegistry } from '../../api/ports/subscription-registry.ts';
import { type Course, type FollowPorts, follow } from './follow.ts';
import { ensureSubscription, SCHEDULED_SERVICE } from './own-subscription.ts';
import { syntheticEvent } from './synthetic-event.ts';

export interface DoctorPorts extends FollowPorts {
  readonly registry: Pick<SubscriptionRegistry, 'find' | 'add' | 'revise'>;
  readonly callbackUrl: string;
  /** Tells this run from all others. */
  nameRun(): string;
}

/** Far beyond any healthy way, with all functions cold; the run has to end before Lambda ends it. */
const DEADLINE_MS = 45_000;
/** Half a read unit each. */
const EVERY_MS = 500;

/** Has a payment that nobody made go all the way, and tells how far it got. */
export async function examine(ports: DoctorPorts): Promise<Course> {
  await ensureSubscription(ports.registry, ports.callbackUrl, ports.now());
  const event = syntheticEvent(SCHEDULED_SERVICE, ports.nameRun(), ports.now());
  return follow(event, ports, { deadlineMs: DEADLINE_MS, everyMs: EVERY_MS });
}
