import { USER_AGENT } from '../../functions/core/attempt/user-agent.ts';
import type { MessageView } from '../../functions/core/message/message-view.ts';

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What an attempt was signed with, as the API tells it: its time in Unix seconds. */
export function timestampOf({ started_at }: MessageView['attempts'][number]): string {
  return String(Math.floor(Date.parse(started_at) / 1_000));
}

/**
 * The headers of a webhook, but for custom ones, whose values are secret, and signatures that are not known.
 */
export function headersOf(
  message: Pick<MessageView, 'message_id' | 'attempt_count'>,
  {
    timestamp,
    signature,
  }: { readonly timestamp?: string | undefined; readonly signature?: string | undefined },
): readonly Header[] {
  return [
    { name: 'content-type', value: 'application/json; charset=utf-8' },
    { name: 'user-agent', value: USER_AGENT },
    { name: 'webhook-id', value: message.message_id },
    ...(timestamp === undefined ? [] : [{ name: 'webhook-timestamp', value: timestamp }]),
    ...(signature === undefined ? [] : [{ name: 'webhook-signature', value: signature }]),
    { name: 'webhook-attempt', value: String(Math.max(1, message.attempt_count)) },
  ];
}
