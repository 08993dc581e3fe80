import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Happened } from '../core/notices/episodes.ts';

/** An operational event as it comes from the bus, without what notices do not need. */
const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  at: z.iso.datetime(),
  service_id: z.string(),
  subscription_id: z.string(),
  reason: z.optional(z.string()),
  failing_since: z.optional(z.iso.datetime()),
});
type ReadEvent = z.infer<typeof eventSchema> & Happened;

interface OfSubscription {
  readonly service_id: string;
  readonly subscription_id: string;
  readonly events: readonly ReadEvent[];
  readonly recordIds: readonly string[];
}

/** The operational events of a batch by subscription, and the ids of the records that are none. */
export function readEvents(records: readonly Pick<SQSRecord, 'messageId' | 'body'>[]) {
  const bySubscription = new Map<string, { events: ReadEvent[]; recordIds: string[] }>();
  const unreadable: string[] = [];
  for (const { messageId, body } of records) {
    const { data: event } = eventSchema.safeParse(parsed(body));
    if (event === undefined) {
      unreadable.push(messageId);
      continue;
    }
    const known = bySubscription.get(event.subscription_id) ?? { events: [], recordIds: [] };
    known.events.push(event);
    known.recordIds.push(messageId);
    bySubscription.set(event.subscription_id, known);
  }
  const happened = [...bySubscription.values()].map(({ events, recordIds }): OfSubscription => {
    const { service_id, subscription_id } = events[0]!;
    return { service_id, subscription_id, events, recordIds };
  });
  return { happened, unreadable };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
