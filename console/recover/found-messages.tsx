import type { ComponentChildren } from 'preact';
import { hrefOf } from '../app/route.ts';
import { wordOf } from '../messages/message-state.ts';
import { TEXT } from '../texts.ts';
import { count, counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import type { Found } from './use-found.ts';

interface FoundMessagesProps {
  readonly found: Found;
  readonly subscriptionId: string;
  /** What can be done with them. */
  readonly children: ComponentChildren;
}

/** How many messages would be sent again, by kind. */
export function FoundMessages({ found, subscriptionId: id, children }: FoundMessagesProps) {
  const { count: all, kinds, isMore, selection } = found;
  const { since, until } = selection;
  if (all === 0 && !isMore) {
    return (
      <div class="empty" role="status">
        <p>{TEXT.recover.none}</p>
      </div>
    );
  }
  return (
    <section class="found">
      <h2>
        <span role="status">
          {TEXT.recover.found(`${isMore ? TEXT.recover.atLeast : ''}${counted(all, 'message')}`)}
        </span>
      </h2>
      <ul>
        {kinds.map(({ event_type, state, count: number }) => (
          <li key={`${event_type} ${state}`}>
            {count(number)} ×{' '}
            <a href={hrefOf({ screen: 'messages', id, filter: { event_type, state, since, until } })}>
              {visible(event_type)}
            </a>
            , {wordOf(state).toLowerCase()}
          </li>
        ))}
      </ul>
      <p class="soft">{TEXT.recover.how}</p>
      {children}
    </section>
  );
}
