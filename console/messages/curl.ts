import type { MessageView } from '../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { paySignature, sign } from './signature/signature.ts';
import { type Header, headersOf } from './webhook.ts';

type Sent = Pick<MessageView, 'message_id' | 'attempt_count' | 'body'>;
type Endpoint = Pick<SubscriptionView, 'callback_url' | 'extra_signatures'>;

/**
 * A command that sends a message to its endpoint once more, signed with this secret alone, for now.
 *
 * @param secret anything else: it is not signed
 */
export async function curlOf(
  message: Sent,
  { callback_url, extra_signatures }: Endpoint,
  secret: string,
  nowMs: number,
): Promise<string> {
  const { message_id, body = '' } = message;
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = await sign(secret, `${message_id}.${timestamp}.${body}`);
  const isPay = signature !== undefined && extra_signatures.includes('pay-signature');
  return commandOf(
    callback_url,
    [
      ...headersOf(message, { timestamp, signature }),
      ...(isPay ? [{ name: 'pay-signature', value: await paySignature(secret, body) }] : []),
    ],
    body,
  );
}

/** For a POSIX shell. The body comes through a pipe: systems limit how long an argument may be. */
function commandOf(url: string, headers: readonly Header[], body: string): string {
  return [
    `printf %s ${quoted(body)} |\n  curl --include --globoff --request POST ${quoted(url)}`,
    ...headers.map(({ name, value }) => `  --header ${quoted(`${name}: ${value}`)}`),
    '  --data-binary @-',
  ].join(' \\\n');
}

/** Within single quotes a shell reads nothing but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
