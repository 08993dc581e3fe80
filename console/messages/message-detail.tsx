import type { MessageView } from '../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { problemKind } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { hrefOf, type Route } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { paymentPath, type Timeline, waitOf } from '../payments/timeline.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { InWords } from '../view/in-words.tsx';
import { Moment } from '../view/moment.tsx';
import { Empty, Read } from '../view/read.tsx';
import { adviceOf } from './advice.ts';
import { Attempts } from './attempts.tsx';
import { Body } from './body.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Facts } from './facts.tsx';
import { fateOf, isFinal, toneOf, wordOf } from './message-state.ts';
import { Neighbours } from './neighbours.tsx';
import { ResendButton } from './resend-button.tsx';
import { SignatureCheck } from './signature/signature-check.tsx';

const LOOK_EVERY_MS = 3_000;
const LOOK_AT_ENDED_EVERY_MS = 15_000;

/** A message with its subscription, and with the payment that it belongs to. */
export function useMessage(id: string) {
  const everyMs = (message: MessageView | undefined) =>
    message !== undefined && isFinal(message) ? LOOK_AT_ENDED_EVERY_MS : LOOK_EVERY_MS;
  const live = useLive<MessageView>(`/messages/${encodeURIComponent(id)}`, everyMs);
  const { data } = live;
  const subscription = useLive<SubscriptionView>(data && subscriptionPath(data.subscription_id), () =>
    everyMs(data),
  );
  // Only its payment knows which message it waits behind, and which ones are beside it.
  const payment = useLive<Timeline>(
    data && paymentPath(data.payment_id),
    data?.state_reason === 'behind_earlier' ? LOOK_EVERY_MS : undefined,
  );
  return { live, subscription: subscription.data, messages: payment.data?.messages ?? [] };
}

interface MessageDetailProps {
  readonly id: string;
  readonly found: ReturnType<typeof useMessage>;
  /** Where the next and the previous message of its payment are shown. */
  readonly routeTo: (id: string) => Route;
}

/** What became of a message, first what failed and what to do; then its attempts, with its body beside them. */
export function MessageDetail({ id, found: { live, subscription, messages }, routeTo }: MessageDetailProps) {
  const mayManage = useMayManage();
  const course = messages.find(({ message_id }) => message_id === id);
  if (problemKind(live.failure) === 'not-found') return <Empty>{TEXT.message.gone}</Empty>;
  return (
    <Read live={live} what={TEXT.message.notRead} lines={8}>
      {(message) => (
        <div class="detail">
          <Neighbours message={message} messages={messages} routeTo={routeTo} />
          <div class="row-head">
            <Badge tone={toneOf(message.state)} word={wordOf(message.state)} />
            {message.late && <span class="tag">{TEXT.message.late}</span>}
            <span class="tag">{message.live ? TEXT.live : TEXT.test}</span>
          </div>
          <InWords
            sentence={fateOf(
              message,
              subscription?.circuit.next_probe_at,
              course && waitOf(course, messages),
            )}
          />
          <WhatFailed message={message} />
          {mayManage && <ResendButton message={message} done={live.refresh} />}
          {mayManage && <CancelButton message={message} done={live.refresh} />}
          <div class="halves">
            <div>
              <Attempts message={message} />
              <Facts message={message} />
            </div>
            <div>
              <Body message={message} />
              <SignatureCheck message={message} subscription={subscription} />
            </div>
          </div>
        </div>
      )}
    </Read>
  );
}

/** What failed and what to do first, before all details. Nothing where nothing failed. */
function WhatFailed({ message }: { readonly message: MessageView }) {
  const mayManage = useMayManage();
  const advice = adviceOf(message);
  if (advice === undefined) return null;
  const { attempt, failed, first, isOfUrl } = advice;
  return (
    <div class={isFinal(message) ? 'notice bad' : 'notice waits'}>
      <p>
        <strong>
          {TEXT.attempts.number(attempt.attempt)}: {failed}
        </strong>{' '}
        <span class="soft">
          <Moment at={attempt.started_at} precision="millisecond" />
        </span>
      </p>
      <p>
        {TEXT.advice.todo} {first}
        {isOfUrl && mayManage && (
          <>
            {' '}
            <a href={hrefOf({ screen: 'edit', id: message.subscription_id })}>{TEXT.advice.edit}</a>
          </>
        )}
      </p>
      {isFinal(message) && mayManage && <p>{TEXT.advice.last}</p>}
    </div>
  );
}
