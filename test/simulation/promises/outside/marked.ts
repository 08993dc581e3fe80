import { OFF_SCHEMA } from '../../plans/validation-plan.ts';
import type { World } from '../../world.ts';

/** What does not fit its schema is on record as such, whatever happened on the way, and nothing else is. */
export function marked({ admitted, history, plan }: World): string[] {
  const misfits = new Set(admitted.filter((event) => event.misfits).map(({ eventId }) => eventId));
  return [...history.records.values()].flatMap(({ event_id, message_id, schema_error }) => {
    const expected = plan.validation !== undefined && misfits.has(event_id) ? OFF_SCHEMA : undefined;
    return schema_error === expected
      ? []
      : [`${message_id} of ${event_id} is marked ${schema_error}, not ${expected}`];
  });
}
