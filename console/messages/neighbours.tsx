import type { MessageView } from '../../functions/core/message/message-view.ts';
import { useKeys } from '../app/keys.ts';
import { hrefOf, type Route } from '../app/route.ts';
import { go } from '../app/use-route.ts';
import type { Course } from '../payments/timeline.ts';
import { TEXT } from '../texts.ts';
import { visible } from '../words/visible.ts';
import { neighboursOf } from './neighbours-of.ts';

interface NeighboursProps {
  readonly message: MessageView;
  /** Of its payment, newest first. */
  readonly messages: readonly Course[];
  readonly routeTo: (id: string) => Route;
}

/** The message of the same payment before this one, and the one after it. */
export function Neighbours({ message, messages, routeTo }: NeighboursProps) {
  const { previous, next } = neighboursOf(message, messages);
  const to = (one: typeof next) => one && (() => go(routeTo(one.message_id)));
  useKeys({ p: to(previous), n: to(next) });
  if (previous === undefined && next === undefined) return null;
  return (
    <nav class="neighbours" aria-label={TEXT.message.ofPayment}>
      {previous && (
        <a href={hrefOf(routeTo(previous.message_id))} rel="prev">
          ← {TEXT.message.previous(visible(previous.event_type))}
        </a>
      )}
      {next && (
        <a href={hrefOf(routeTo(next.message_id))} rel="next">
          {TEXT.message.next(visible(next.event_type))} →
        </a>
      )}
    </nav>
  );
}
