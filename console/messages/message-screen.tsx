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
import { FailureNotice } from '../view/failure-notice.tsx';
import { InWords } from '../view/in-words.tsx';
import { Loading, Screen } from '../view/screen.tsx';
import { visible } from '../words/visible.ts';
import { Attempts } from './attempts.tsx';
import { Body } from './body.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Facts } from './facts.tsx';
import { fateOf, isFinal, toneOf, wordOf } from './message-state.ts';
import { ResendButton } from './resend-button.tsx';
import { SignatureCheck } from './signature/signature-check.tsx';

const LOOK_EVERY_MS = 3_000;
const LOOK_AT_ENDED_EVERY_MS = 15_000;

export function MessageScreen({ id }: { readonly id: string }) {
  const path = `/messages/${encodeURIComponent(id)}`;
  const everyMs = (message: MessageView | undefined) =>
    message !== undefined && isFinal(message) ? LOOK_AT_ENDED_EVERY_MS : LOOK_EVERY_MS;
  const { data, failure, refresh } = useLive<MessageView>(path, everyMs);
  const subscription = useLive<SubscriptionView>(data && subscriptionPath(data.subscription_id), () =>
    everyMs(data),
  );
  // Only its payment knows which message it waits behind.
  const payment = useLive<Timeline>(
    data?.state_reason === 'behind_earlier' ? paymentPath(data.payment_id) : undefined,
    LOOK_EVERY_MS,
  );
  const messages = payment.data?.messages ?? [];
  const course = messages.find(({ message_id }) => message_id === id);
  const isGone = problemKind(failure) === 'not-found';
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
      {isGone ? (
        <div class="empty">
          <p>{TEXT.message.gone}</p>
        </div>
      ) : (
        <FailureNotice failure={failure} what={TEXT.message.notRead} again={refresh} />
      )}
      {data === undefined ? (
        failure === undefined && <Loading lines={8} />
      ) : isGone ? null : (
        <>
          <div class="row-head">
            <Badge tone={toneOf(data.state)} word={wordOf(data.state)} />
            {data.late && <span class="tag">{TEXT.message.late}</span>}
            <span class="tag">{data.live ? TEXT.live : TEXT.test}</span>
          </div>
          <InWords
            sentence={fateOf(
              data,
              subscription.data?.circuit.next_probe_at,
              course && waitOf(course, messages),
            )}
          />
          {mayManage && <ResendButton message={data} done={refresh} />}
          {mayManage && <CancelButton message={data} done={refresh} />}
          <Attempts message={data} />
          <Facts message={data} />
          <Body message={data} />
          <SignatureCheck message={data} subscription={subscription.data} />
        </>
      )}
    </Screen>
  );
}
