import { paymentEvent } from '../support/builders.ts';
import type { FifoQueue } from './fifo-queue.ts';
import type { Surroundings } from './invocation.ts';
import { LARGE_RESOURCE, type PublicationPlan } from './world-plan.ts';

/** Payments share shards, as with 16 rules for all payments. */
const SHARDS = 2;

/** An event that `events.fifo` took for the first time. */
export interface Admitted {
  readonly eventId: string;
  readonly paymentId: string;
  readonly eventType: string;
  readonly atMs: number;
}

/**
 * Has events, and their repeats, come to `events.fifo` when the plan says.
 *
 * @returns those that were taken, in the order of their admission; it grows with time
 */
export function publish(
  publications: readonly PublicationPlan[],
  events: FifoQueue,
  { clock, tell }: Pick<Surroundings, 'clock' | 'tell'>,
): readonly Admitted[] {
  const admitted: Admitted[] = [];
  const seen = new Set<string>();
  const admit = (eventId: string, { payment, eventType }: PublicationPlan, body: string) => {
    const taken = events.send({ body, group: `shard-${payment % SHARDS}` });
    tell(() => `events.fifo ${taken === undefined ? 'swallows' : 'takes'} ${eventId} of pay-${payment}`);
    if (taken !== undefined && !seen.has(eventId)) {
      seen.add(eventId);
      admitted.push({ eventId, paymentId: `pay-${payment}`, eventType, atMs: taken.sentAtMs });
    }
  };
  let atMs = clock.now();
  for (const [index, publication] of publications.entries()) {
    atMs += publication.pauseMs;
    const eventId = `evt-${index}`;
    const detail = detailOf(eventId, publication, atMs);
    clock.at(atMs, () => admit(eventId, publication, JSON.stringify(detail)));
    for (const { afterMs, verbatim } of publication.repeats) {
      const again = verbatim ? detail : { ...detail, sequence: index + 1 };
      clock.at(atMs + afterMs, () => admit(eventId, publication, JSON.stringify(again)));
    }
  }
  return admitted;
}

function detailOf(eventId: string, publication: PublicationPlan, atMs: number): Record<string, unknown> {
  const paymentId = `pay-${publication.payment}`;
  return paymentEvent({
    event_id: eventId,
    payment_id: paymentId,
    resource_id: paymentId,
    event_type: publication.eventType,
    occurred_at: new Date(atMs).toISOString(),
    resource: {
      event_id: eventId,
      payment_id: paymentId,
      ...(publication.large ? { pad: LARGE_RESOURCE } : {}),
    },
  });
}
