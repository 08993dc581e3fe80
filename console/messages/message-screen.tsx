import type { MessageView } from '../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { problemKind } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { paymentPath, type Timeline, waitOf } from '../payments/timeline.ts';
import { nameOf, subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { InWords } from '../view/in-words.tsx';
import { Moment } from '../view/moment.tsx';
import { Empty, Read } from '../view/read.tsx';
import { Screen } from '../view/screen.tsx';
import { visible } from '../words/visible.ts';
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

export function MessageScreen({ id }: { readonly id: string }) {
  const path = `/messages/${encodeURIComponent(id)}`;
  const everyMs = (message: MessageView | undefined) =>
    message !== undefined && isFinal(message) ? LOOK_AT_ENDED_EVERY_MS : LOOK_EVERY_MS;
  const live = useLive<MessageView>(path, everyMs);
  const { data } = live;
  const subscription = useLive<SubscriptionView>(data && subscriptionPath(data.subscription_id), () =>
    everyMs(data),
  );
  // Only its payment knows which message it waits behind, and which ones are beside it.
  const payment = useLive<Timeline>(
    data && paymentPath(data.payment_id),
    data?.state_reason === 'behind_earlier' ? LOOK_EVERY_MS : undefined,
  );
  const messages = payment.data?.messages ?? [];
  const course = messages.find(({ message_id }) => message_id === id);
  const mayManage = useMayManage();
  const name = data === undefined ? TEXT.message.title : visible(data.event_type);
  return (
    <Screen
      title={name}
      name={name}
      up={
        data && {
          href: hrefOf({ screen: 'messages', id: data.subscription_id, filter: {} }),
          label: subscription.data ? (
            <>
              {TEXT.message.of} <bdi>{nameOf(subscription.data)}</bdi>
            </>
          ) : (
            TEXT.messages.title
          ),
        }
      }
    >
      {problemKind(live.failure) === 'not-found' ? (
        <Empty>{TEXT.message.gone}</Empty>
      ) : (
        <Read live={live} what={TEXT.message.notRead} lines={8}>
          {(message) => (
            <>
              <Neighbours message={message} messages={messages} />
              <div class="row-head">
                <Badge tone={toneOf(message.state)} word={wordOf(message.state)} />
                {message.late && <span class="tag">{TEXT.message.late}</span>}
                <span class="tag">{message.live ? TEXT.live : TEXT.test}</span>
              </div>
              <InWords
                sentence={fateOf(
                  message,
                  subscription.data?.circuit.next_probe_at,
                  course && waitOf(course, messages),
                )}
              />
              <WhatFailed message={message} />
              {mayManage && <ResendButton message={message} done={live.refresh} />}
              {mayManage && <CancelButton message={message} done={live.refresh} />}
              <Attempts message={message} />
              <Facts message={message} />
              <Body message={message} />
              <SignatureCheck message={message} subscription={subscription.data} />
            </>
          )}
        </Read>
      )}
    </Screen>
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
