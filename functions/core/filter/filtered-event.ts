import { parseExactly } from './decimal.ts';
import type { FilteredEvent } from './pattern.ts';

interface Told {
  readonly event_type: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly payment_id: string;
  readonly occurred_at: string;
  readonly sequence?: number | undefined;
}

/** What a filter sees of an event. @param resource as JSON text */
export function filteredEvent(event: Told, resource: string): FilteredEvent {
  const { event_type, resource_type, resource_id, payment_id, occurred_at, sequence } = event;
  return {
    event_type,
    resource_type,
    resource_id,
    payment_id,
    created_date: new Date(occurred_at).toISOString(),
    ...(sequence === undefined ? {} : { sequence }),
    resource: parseExactly(resource),
  };
}
