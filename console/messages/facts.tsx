import type { ComponentChildren } from 'preact';
import type { MessageView } from '../../functions/core/message/message-view.ts';
import { hrefOf } from '../app/route.ts';
import { PaymentLink } from '../payments/payment-link.tsx';
import { TEXT } from '../texts.ts';
import { Moment } from '../view/moment.tsx';
import { Outside } from '../view/outside.tsx';
import { Pairs } from '../view/pairs.tsx';
import { duration } from '../words/time.ts';

/** What we know of a message besides its attempts. */
export function Facts({ message }: { readonly message: MessageView }) {
  const moment = (at: string | undefined) => at && <Moment at={at} precision="millisecond" />;
  const ms = (value: number | undefined) => value !== undefined && duration(Math.round(value));
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [TEXT.facts.payment, <PaymentLink id={message.payment_id} />],
    [
      TEXT.facts.resource,
      message.resource_id !== message.payment_id && <Outside text={message.resource_id} />,
    ],
    [TEXT.facts.occurred, moment(message.occurred_at)],
    [TEXT.facts.arrived, moment(message.arrived_at)],
    [TEXT.facts.admitted, moment(message.admitted_at)],
    [TEXT.facts.timeToSend, ms(message.time_to_send_ms)],
    [TEXT.facts.held, ms(message.held_ms)],
    [TEXT.facts.position, message.position],
    [TEXT.facts.sequence, message.sequence],
    [
      TEXT.facts.previous,
      message.previous_message_id && (
        <a href={hrefOf({ screen: 'message', id: message.previous_message_id })}>
          {message.previous_message_id}
        </a>
      ),
    ],
    [TEXT.facts.schema, message.schema_error],
    [TEXT.facts.gap, message.gap_before && TEXT.facts.gapBefore],
    [
      TEXT.facts.recovery,
      message.recovery_id && (
        <a href={hrefOf({ screen: 'recover', id: message.subscription_id, recovery: message.recovery_id })}>
          {message.recovery_id}
        </a>
      ),
    ],
    [TEXT.facts.id, <code>{message.message_id}</code>],
    [TEXT.facts.event, <Outside text={message.event_id} />],
  ];
  return (
    <section>
      <h2>{TEXT.facts.title}</h2>
      <Pairs rows={rows} />
    </section>
  );
}
