import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { hrefOf } from '../app/route.ts';
import { PaymentLink } from '../payments/payment-link.tsx';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { Moment } from '../view/moment.tsx';
import { useWindow } from '../view/use-window.ts';
import { duration, localTime } from '../words/time.ts';
import { visible } from '../words/visible.ts';
import { lastAnswer, toneOf, tookMs, wordOf } from './message-state.ts';

interface MessagesTableProps {
  readonly messages: readonly MessageSummary[];
  readonly arrived: ReadonlySet<string>;
  /** The one that is open beside the list. */
  readonly opened: string | undefined;
  readonly open: (id: string) => void;
  readonly chosen: ReadonlySet<string>;
  readonly choose: (ids: readonly string[], isChosen: boolean) => void;
  readonly nearEnd: () => void;
  /** Tells how to bring a row into sight. */
  readonly showing: (show: (row: number) => void) => void;
}

/** A line for each message; of thousands, only those near the screen are drawn. */
export function MessagesTable({ messages, chosen, choose, nearEnd, showing, ...row }: MessagesTableProps) {
  const { place, first, last, height, show } = useWindow(messages.length, nearEnd);
  showing(show);
  const text = TEXT.messages;
  return (
    <table class="list messages" aria-rowcount={messages.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">
            <input
              type="checkbox"
              aria-label={text.chooseAll}
              checked={chosen.size > 0 && messages.every(({ message_id }) => chosen.has(message_id))}
              onChange={({ currentTarget }) =>
                choose(
                  messages.map(({ message_id }) => message_id),
                  currentTarget.checked,
                )
              }
            />
          </th>
          {text.columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={place}>
        <Gap rows={first} height={height} />
        {messages.slice(first, last).map((message, index) => (
          <Row
            key={message.message_id}
            message={message}
            number={first + index + 2}
            isChosen={chosen.has(message.message_id)}
            choose={choose}
            {...row}
          />
        ))}
        <Gap rows={messages.length - last} height={height} />
      </tbody>
    </table>
  );
}

/** As high as the rows that are not drawn. */
function Gap({ rows, height }: { readonly rows: number; readonly height: number }) {
  if (rows === 0) return null;
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row, which nothing focuses
  return <tr class="gap" aria-hidden="true" style={{ height: `${rows * height}px` }} />;
}

interface RowProps extends Pick<MessagesTableProps, 'arrived' | 'opened' | 'open' | 'choose'> {
  readonly message: MessageSummary;
  /** In the whole table, its head included. */
  readonly number: number;
  readonly isChosen: boolean;
}

function Row({ message, number, arrived, opened, open, isChosen, choose }: RowProps) {
  const { message_id: id, event_type, payment_id, admitted_at, state, attempt_count } = message;
  const took = tookMs(message);
  const isOpen = id === opened;
  return (
    // The link of its event type does the same with the keyboard, and so do `j` and `k`.
    <tr
      class={`message${arrived.has(id) ? ' arrived' : ''}${isOpen ? ' open' : ''}`}
      aria-rowindex={number}
      {...(isOpen ? { 'aria-current': 'true' as const } : {})}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a, input') === null) open(id);
      }}
    >
      <td class="message-choice">
        <input
          type="checkbox"
          aria-label={TEXT.messages.choose(localTime(admitted_at, Date.now()), visible(payment_id))}
          checked={isChosen}
          onChange={({ currentTarget }) => choose([id], currentTarget.checked)}
        />
      </td>
      <td class="message-time soft">
        <Moment at={admitted_at} precision="millisecond" />
      </td>
      <td class="message-name">
        <a class="message-type" href={hrefOf({ screen: 'message', id })}>
          {visible(event_type)}
        </a>
      </td>
      <td class="message-payment">
        <PaymentLink id={payment_id} />
      </td>
      <td>
        <Badge tone={toneOf(state)} word={wordOf(state)} />
      </td>
      <td class="number message-attempts">{attempt_count}</td>
      <td class="number">{took === undefined ? '–' : duration(took)}</td>
      <td class="message-answer soft">{answerText(message)}</td>
    </tr>
  );
}

/** What came back last, and why it waits or has ended. */
export function answerText(message: MessageSummary): string {
  const { state_reason: reason } = message;
  return [lastAnswer(message), reason && TEXT.reasonWord[reason]].filter((part) => part).join(' · ');
}
