import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { TEXT } from '../../texts.ts';

/** What the API answers: what a filter makes of each event, newest first. */
export interface Preview {
  readonly is_more: boolean;
  readonly messages: readonly (Pick<
    MessageView,
    'message_id' | 'event_type' | 'payment_id' | 'admitted_at' | 'fields'
  > & {
    readonly taken: boolean;
    readonly refused_by?: string;
  })[];
}

const MS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const;

/** Of when the events are on which a filter is tried. */
export type Span = 'newest' | keyof typeof MS;
export const SPANS: readonly Span[] = ['newest', 'hour', 'day', 'week'];

/** The first instant of a span; undefined: there is none. */
export function sinceOf(span: Span, nowMs: number): string | undefined {
  return span === 'newest' ? undefined : new Date(nowMs - MS[span]).toISOString();
}

/** How many events a filter takes, in a sentence. */
export function takenText({ messages, is_more }: Preview): string {
  const taken = messages.filter((message) => message.taken).length;
  return messages.length === 0 ? TEXT.preview.none : TEXT.preview.takes(taken, messages.length, is_more);
}
