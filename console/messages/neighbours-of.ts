import type { MessageView } from '../../functions/core/message/message-view.ts';
import type { Course } from '../payments/timeline.ts';

type Neighbour = Pick<Course, 'message_id' | 'event_type'>;

/**
 * The messages of the same payment and subscription before and after this one.
 *
 * @param messages newest first; where there are many, the oldest may be missing
 */
export function neighboursOf(
  { message_id, subscription_id }: Pick<MessageView, 'message_id' | 'subscription_id'>,
  messages: readonly (Neighbour & Pick<Course, 'subscription_id'>)[],
): { readonly previous: Neighbour | undefined; readonly next: Neighbour | undefined } {
  const those = messages.filter((one) => one.subscription_id === subscription_id);
  const at = those.findIndex((one) => one.message_id === message_id);
  return { previous: at === -1 ? undefined : those[at + 1], next: at === -1 ? undefined : those[at - 1] };
}
