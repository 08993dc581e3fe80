import { useRef, useState } from 'preact/hooks';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { useKeys } from '../app/keys.ts';
import { hrefOf, type MessageFilter } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { amend, go } from '../app/use-route.ts';
import { MoreButton } from '../payments/more-button.tsx';
import { canRecover } from '../recover/selection.ts';
import { SubscriptionFrame } from '../subscriptions/one/frame.tsx';
import { TEXT } from '../texts.ts';
import { Empty, Read } from '../view/read.tsx';
import { counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { FilterChips } from './filter-chips.tsx';
import { Filters } from './filters.tsx';
import { MessageDetail, useMessage } from './message-detail.tsx';
import { MessagesTable } from './messages-table.tsx';
import { StateTabs } from './state-tabs.tsx';
import { useMessages } from './use-messages.ts';

interface MessagesScreenProps {
  readonly id: string;
  readonly filter: MessageFilter;
  /** The message that is open beside the list. */
  readonly open: string | undefined;
}

/** There is room for a message beside the list; else it has a screen of its own. */
const HAS_ROOM = '(min-width: 1100px)';

export function MessagesScreen(props: MessagesScreenProps) {
  return (
    <SubscriptionFrame id={props.id} tab="messages">
      {({ data }) => <Messages {...props} subscription={data} />}
    </SubscriptionFrame>
  );
}

interface MessagesProps extends MessagesScreenProps {
  readonly subscription: SubscriptionView;
}

function Messages({ id, filter, open: opened, subscription }: MessagesProps) {
  const [isLive, setIsLive] = useState(true);
  const [isNarrowing, setNarrowing] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const show = useRef<(row: number) => void>(() => {});
  const { live, arrived, isMore, more, isReadingMore } = useMessages(id, filter, isLive);
  const mayManage = useMayManage();
  const isFiltered = Object.keys(filter).length > 0;
  const messages = live.data?.messages ?? [];
  const openBeside = (open: string | undefined) =>
    amend('messages', ({ screen, id, filter }) => ({
      screen,
      id,
      filter,
      ...(open === undefined ? {} : { open }),
    }));
  const open = (message: string) =>
    matchMedia(HAS_ROOM).matches ? openBeside(message) : go({ screen: 'message', id: message });
  const step = (by: 1 | -1) => () => {
    const at = messages.findIndex(({ message_id }) => message_id === opened);
    const row = at === -1 ? 0 : at + by;
    const next = messages[row];
    if (next === undefined || !matchMedia(HAS_ROOM).matches) return;
    openBeside(next.message_id);
    show.current(row);
  };
  useKeys({
    j: step(1),
    k: step(-1),
    Escape: opened === undefined ? undefined : () => openBeside(undefined),
  });
  return (
    <>
      <StateTabs subscription={subscription} filter={filter} />
      <FilterChips filter={filter} isOpen={isNarrowing} toggle={() => setNarrowing(!isNarrowing)} />
      <div id="filters" class={isNarrowing ? '' : 'folds'}>
        <Filters filter={filter} failure={live.failure} />
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
          <a href={hrefOf({ screen: 'recover', id, filter })}>
            {filter.state === 'succeeded' ? TEXT.messages.recoverDelivered : TEXT.messages.recover}
          </a>
        )}
        <span role="status" class="soft">
          {arrived.size > 0 &&
            TEXT.messages.arrived(
              `${isMore ? TEXT.messages.moreThan : ''}${counted(arrived.size, 'new message')}`,
            )}
        </span>
      </div>
      {messages.length > 0 && (
        <ChosenBar
          messages={messages}
          chosen={chosen}
          forget={() => setChosen(new Set())}
          done={live.refresh}
        />
      )}
      <Read live={live} what={TEXT.messages.notRead} lines={8}>
        {({ messages, next }) =>
          messages.length === 0 && next === undefined ? (
            <Empty>{isFiltered ? TEXT.messages.noneFit : TEXT.messages.none}</Empty>
          ) : (
            <>
              {messages.length === 0 && <p>{TEXT.messages.noneYet}</p>}
              {messages.length > 0 && (
                <div class={opened === undefined ? '' : 'beside'}>
                  {opened !== undefined && (
                    <Opened key={opened} message={opened} openBeside={openBeside} of={{ id, filter }} />
                  )}
                  <MessagesTable
                    messages={messages}
                    arrived={arrived}
                    opened={opened}
                    open={open}
                    chosen={chosen}
                    choose={(ids, isChosen) => {
                      const next = new Set(chosen);
                      for (const one of ids) isChosen ? next.add(one) : next.delete(one);
                      setChosen(next);
                    }}
                    nearEnd={() => next !== undefined && !isReadingMore && more()}
                    showing={(how) => {
                      show.current = how;
                    }}
                  />
                </div>
              )}
              {next !== undefined && <MoreButton isReading={isReadingMore} read={more} />}
            </>
          )
        }
      </Read>
    </>
  );
}

interface OpenedProps {
  readonly message: string;
  readonly of: { readonly id: string; readonly filter: MessageFilter };
  readonly openBeside: (id: string | undefined) => void;
}

/** A message beside the list that it is in. */
function Opened({ message, of, openBeside }: OpenedProps) {
  const found = useMessage(message);
  const { data } = found.live;
  return (
    <section class="opened" aria-label={TEXT.message.title}>
      <div class="row-head">
        <h2>{data === undefined ? TEXT.message.title : visible(data.event_type)}</h2>
        <a href={hrefOf({ screen: 'message', id: message })}>{TEXT.messages.page}</a>
        <button type="button" class="quiet" onClick={() => openBeside(undefined)}>
          {TEXT.close}
        </button>
      </div>
      <MessageDetail id={message} found={found} routeTo={(open) => ({ screen: 'messages', ...of, open })} />
    </section>
  );
}
