import type { SQSRecord } from 'aws-lambda';
import {
  type OperationalEvent,
  operationalEventSchema,
} from '../core/operational-events/operational-event.ts';

export interface Happened {
  readonly service_id: string;
  readonly subscription_id: string;
  readonly events: readonly OperationalEvent[];
  readonly recordIds: readonly string[];
}

/** The operational events of a batch by subscription, and the ids of the records that are none. */
export function readEvents(records: readonly Pick<SQSRecord, 'messageId' | 'body'>[]) {
  const bySubscription = new Map<string, { events: OperationalEvent[]; recordIds: string[] }>();
  const unreadable: string[] = [];
  for (const { messageId, body } of records) {
    const { data: event } = operationalEventSchema.safeParse(parsed(body));
    if (event === undefined) {
      unreadable.push(messageId);
      continue;
    }
    const known = bySubscription.get(event.subscription_id) ?? { events: [], recordIds: [] };
    known.events.push(event);
    known.recordIds.push(messageId);
    bySubscription.set(event.subscription_id, known);
  }
  const happened = [...bySubscription.values()].map(({ events, recordIds }): Happened => {
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
