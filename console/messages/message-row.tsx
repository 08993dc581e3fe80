import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { hrefOf } from '../app/route.ts';
import { PaymentLink } from '../payments/payment-link.tsx';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { Moment } from '../view/moment.tsx';
import { counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { lastAnswer, toneOf, wordOf } from './message-state.ts';

interface MessageRowProps {
  readonly message: MessageSummary;
  readonly isNew: boolean;
}

export function MessageRow({ message, isNew }: MessageRowProps) {
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
