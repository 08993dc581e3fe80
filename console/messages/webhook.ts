import type { MessageView } from '../../functions/core/message/message-view.ts';

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What an attempt was signed with, as the API tells it: its time in Unix seconds. */
export function timestampOf({ started_at }: MessageView['attempts'][number]): string {
  return String(Math.floor(Date.parse(started_at) / 1_000));
}

/** The headers of a webhook, but for those that are secret, and those that are not known. */
export function headersOf(
  message: Pick<MessageView, 'message_id' | 'attempt_count'>,
  {
    timestamp,
    signature,
  }: { readonly timestamp?: string | undefined; readonly signature?: string | undefined },
): readonly Header[] {
  return [
    { name: 'content-type', value: 'application/json; charset=utf-8' },
    { name: 'webhook-id', value: message.message_id },
    ...(timestamp === undefined ? [] : [{ name: 'webhook-timestamp', value: timestamp }]),
    ...(signature === undefined ? [] : [{ name: 'webhook-signature', value: signature }]),
    { name: 'webhook-attempt', value: String(Math.max(1, message.attempt_count)) },
  ];
}

/** A command for a POSIX shell that sends the webhook once more, to the same URL. */
export function curlOf(url: string, headers: readonly Header[], body: string): string {
  return [
    `curl --request POST ${quoted(url)}`,
    ...headers.map(({ name, value }) => `  --header ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(body)}`,
  ].join(' \\\n');
}

/** Within single quotes a shell reads nothing but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
