import { useState } from 'preact/hooks';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { hrefOf, type MessageFilter } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { MoreButton } from '../payments/more-button.tsx';
import { PaymentLink } from '../payments/payment-link.tsx';
import { canRecover } from '../recover/selection.ts';
import { SubscriptionFrame } from '../subscriptions/one/frame.tsx';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { ColumnHeads } from '../view/column-heads.tsx';
import { Moment } from '../view/moment.tsx';
import { Empty, Read } from '../view/read.tsx';
import { counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { FilterChips } from './filter-chips.tsx';
import { Filters } from './filters.tsx';
import { lastAnswer, toneOf, wordOf } from './message-state.ts';
import { useMessages } from './use-messages.ts';

interface MessagesScreenProps {
  readonly id: string;
  readonly filter: MessageFilter;
}

export function MessagesScreen({ id, filter }: MessagesScreenProps) {
  return (
    <SubscriptionFrame id={id} tab="messages">
      {() => <Messages id={id} filter={filter} />}
    </SubscriptionFrame>
  );
}

function Messages({ id, filter }: MessagesScreenProps) {
  const [isLive, setIsLive] = useState(true);
  const [isNarrowing, setNarrowing] = useState(false);
  const { live, arrived, isMore, more, isReadingMore } = useMessages(id, filter, isLive);
  const mayManage = useMayManage();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <FilterChips id={id} filter={filter} isOpen={isNarrowing} toggle={() => setNarrowing(!isNarrowing)} />
      <div id="filters" class={isNarrowing ? '' : 'folds'}>
        <Filters id={id} filter={filter} failure={live.failure} />
      </div>
      <div class="live-bar">
        <label class="choice">
          <input
            type="checkbox"
            checked={isLive}
            onChange={(event) => setIsLive(event.currentTarget.checked)}
          />
          {TEXT.messages.live}
        </label>
        {!isLive && (
          <button type="button" class="quiet" onClick={live.refresh}>
            {TEXT.messages.refresh}
          </button>
        )}
        {isFiltered && mayManage && canRecover(filter) && (
          <a href={hrefOf({ screen: 'recover', id, filter })}>{TEXT.messages.recover}</a>
        )}
        <span role="status" class="soft">
          {arrived.size > 0 &&
            TEXT.messages.arrived(
              `${isMore ? TEXT.messages.moreThan : ''}${counted(arrived.size, 'new message')}`,
            )}
        </span>
      </div>
      <Read live={live} what={TEXT.messages.notRead} lines={8}>
        {({ messages, next }) =>
          messages.length === 0 && next === undefined ? (
            <Empty>{isFiltered ? TEXT.messages.noneFit : TEXT.messages.none}</Empty>
          ) : (
            <>
              {messages.length === 0 && <p>{TEXT.messages.noneYet}</p>}
              {messages.length > 0 && (
                <table class="list messages">
                  <ColumnHeads names={TEXT.messages.columns} />
                  <tbody>
                    {messages.map((one) => (
                      <MessageRow key={one.message_id} message={one} isNew={arrived.has(one.message_id)} />
                    ))}
                  </tbody>
                </table>
              )}
              {next !== undefined && <MoreButton isReading={isReadingMore} read={more} />}
            </>
          )
        }
      </Read>
    </>
  );
}

interface MessageRowProps {
  readonly message: MessageSummary;
  readonly isNew: boolean;
}

function MessageRow({ message, isNew }: MessageRowProps) {
  const { message_id: id, event_type, payment_id, admitted_at, state, state_reason, attempt_count } = message;
  const answer = lastAnswer(message);
  const what = [
    attempt_count === 0 ? TEXT.messages.noAttempt : counted(attempt_count, 'attempt'),
    ...(answer === undefined ? [] : [answer]),
    ...(state_reason === undefined ? [] : [TEXT.reasonWord[state_reason]]),
  ];
  return (
    <tr class={isNew ? 'message arrived' : 'message'}>
      <td class="message-time soft">
        <Moment at={admitted_at} precision="millisecond" />
      </td>
      <td>
        <Badge tone={toneOf(state)} word={wordOf(state)} />
      </td>
      <td>
        <a class="message-type" href={hrefOf({ screen: 'message', id })}>
          {visible(event_type)}
        </a>
      </td>
      <td class="message-payment">
        <PaymentLink id={payment_id} />
      </td>
      <td class="message-answer soft">{what.join(' · ')}</td>
    </tr>
  );
}
