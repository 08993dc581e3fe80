import type { MessageRecord } from './history.ts';

/**
 * From the intake of its event until an endpoint acknowledged it, waits and retries included, in ms. Undefined
 * of what nobody has acknowledged, and of what had ended before: nobody was late with that.
 */
export function timeToAcknowledgeMs(
  record: Pick<MessageRecord, 'state' | 'late' | 'ended_at' | 'arrived_at' | 'admitted_at'>,
): number | undefined {
  const { state, late, ended_at, arrived_at, admitted_at } = record;
  return state === 'succeeded' && late !== true && ended_at !== undefined
    ? Date.parse(ended_at) - Date.parse(arrived_at ?? admitted_at)
    : undefined;
}
