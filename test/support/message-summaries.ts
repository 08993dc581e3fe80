import type { MessageSummary } from '../../functions/core/message/message-view.ts';

const START_MS = Date.parse('2026-11-14T10:00:00.000Z');

/** An instant, in ms after ten o'clock. */
export function at(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

export function summaryOf(name: string, given: Partial<MessageSummary> = {}): MessageSummary {
  return {
    message_id: `msg_${name}`,
    event_id: name,
    subscription_id: 'sub_1',
    payment_id: name.slice(0, 1),
    event_type: 'card_payment_started',
    resource_type: 'payment',
    resource_id: name.slice(0, 1),
    live: false,
    occurred_at: at(0),
    admitted_at: at(Number(name.slice(1)) || 0),
    state: 'succeeded',
    attempt_count: 1,
    time_to_send_ms: 8,
    last_attempt_at: at(10),
    ended_at: at(110),
    ...given,
  };
}
