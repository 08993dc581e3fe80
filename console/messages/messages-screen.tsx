import { useState } from 'preact/hooks';
import { hrefOf, type MessageFilter } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { canRecover } from '../recover/selection.ts';
import { SubscriptionFrame } from '../subscriptions/one/frame.tsx';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Loading } from '../view/screen.tsx';
import { counted } from '../words/numbers.ts';
import { Filters } from './filters.tsx';
import { MessageRow } from './message-row.tsx';
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
  const { listed, arrived, isMore, failure, refresh, more, isReadingMore } = useMessages(id, filter, isLive);
  const mayManage = useMayManage();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Filters id={id} filter={filter} failure={failure} />
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
          <button type="button" class="quiet" onClick={refresh}>
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
      <FailureNotice failure={failure} what={TEXT.messages.notRead} again={refresh} />
      {listed === undefined ? (
        failure === undefined && <Loading lines={8} />
      ) : listed.messages.length === 0 && listed.next === undefined ? (
        <div class="empty">
          <p>{isFiltered ? TEXT.messages.noneFit : TEXT.messages.none}</p>
        </div>
      ) : (
        <>
          {listed.messages.length === 0 && <p>{TEXT.messages.noneYet}</p>}
          <ul class="rows">
            {listed.messages.map((message) => (
              <MessageRow
                key={message.message_id}
                message={message}
                isNew={arrived.has(message.message_id)}
              />
            ))}
          </ul>
          {listed.next !== undefined && (
            <p class="more">
              <button type="button" aria-disabled={isReadingMore} onClick={() => isReadingMore || more()}>
                {TEXT.messages.more}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}
