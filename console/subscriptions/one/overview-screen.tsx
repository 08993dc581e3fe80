import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import { type Found, useNow } from '../../api/live.ts';
import { hrefOf } from '../../app/route.ts';
import { useMayManage } from '../../app/session.ts';
import { adviceOn } from '../../messages/advice.ts';
import { TEXT } from '../../texts.ts';
import { Badge } from '../../view/badge.tsx';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { InWords } from '../../view/in-words.tsx';
import type { CommonFailure } from '../health.ts';
import { subscriptionPath } from '../subscription.ts';
import { useHealth } from '../use-health.ts';
import { Day } from './day.tsx';
import { DeleteButton } from './delete-button.tsx';
import { SubscriptionFrame } from './frame.tsx';
import { Notices } from './notices.tsx';
import { Ping } from './ping.tsx';
import { Settings } from './settings.tsx';

/** An endpoint that is not back after all is not tried more often than this. */
const ASK_AGAIN_AFTER_MS = 60_000;

export function OverviewScreen({ id }: { readonly id: string }) {
  return (
    <SubscriptionFrame id={id} tab="overview">
      {(subscription) => <Overview subscription={subscription} />}
    </SubscriptionFrame>
  );
}

function Overview({ subscription }: { readonly subscription: Found<SubscriptionView> }) {
  const { tone, word, sentence, failure } = useHealth(subscription.data);
  const mayManage = useMayManage();
  const { subscription_id: id, live } = subscription.data;
  return (
    <>
      <div class="row-head">
        <Badge tone={tone} word={word} />
        <span class="tag">{live ? TEXT.live : TEXT.test}</span>
      </div>
      <InWords sentence={sentence} />
      <ToDo subscription={subscription} failure={failure} />
      {mayManage ? (
        <>
          <div class="actions">
            <a class="button" href={hrefOf({ screen: 'edit', id })}>
              {TEXT.edit.open}
            </a>
            <StateButton subscription={subscription} />
          </div>
          <Ping id={id} withSamples />
        </>
      ) : (
        <p class="soft">{TEXT.session.readOnlyWhy}</p>
      )}
      <Day subscription={subscription.data} />
      <Settings subscription={subscription.data} />
      <Notices subscription={subscription.data} />
      {mayManage && (
        <section>
          <h2>{TEXT.delete.section}</h2>
          <p class="soft">{TEXT.delete.what}</p>
          <DeleteButton subscription={subscription.data} />
        </section>
      )}
    </>
  );
}

interface ToDoProps {
  readonly subscription: Found<SubscriptionView>;
  readonly failure: CommonFailure | undefined;
}

/** While an endpoint fails: what to do first, and then to say that it is back. */
function ToDo({ subscription: { data, put }, failure }: ToDoProps) {
  const { isUnderWay, failure: notAsked, send } = useChange<SubscriptionView>();
  const [askedAtMs, setAskedAtMs] = useState(0);
  const nowMs = useNow(ASK_AGAIN_AFTER_MS / 10);
  const mayManage = useMayManage();
  const isProbed = data.state === 'active' && data.circuit.next_probe_at !== undefined;
  const hasAsked = nowMs - askedAtMs < ASK_AGAIN_AFTER_MS;
  if (!isProbed && !hasAsked) return null;
  const advice =
    failure &&
    adviceOn({
      failure_class: failure.message.last_failure_class,
      status_code: failure.message.last_status_code,
    });
  const text = TEXT.back;
  return (
    <div class={isProbed ? 'notice bad' : 'notice waits'}>
      {isProbed && advice && failure && (
        <p>
          {TEXT.advice.todo} {advice.first}{' '}
          <a href={hrefOf({ screen: 'message', id: failure.message.message_id })}>{text.example}</a>
        </p>
      )}
      {mayManage && (
        <p>
          {isProbed && text.soon}{' '}
          <button
            type="button"
            aria-disabled={isUnderWay || hasAsked}
            onClick={async () => {
              if (hasAsked) return;
              const path = `${subscriptionPath(data.subscription_id)}/enable`;
              const answer = await send({ method: 'POST', path });
              if (answer === undefined) return;
              setAskedAtMs(Date.now());
              put(answer.body, answer.etag);
            }}
          >
            {text.ask}
          </button>
        </p>
      )}
      <p role="status">{hasAsked && (isProbed ? text.again : text.asked)}</p>
      <FailureNotice failure={notAsked} what={text.failed} />
    </div>
  );
}

interface StateButtonProps {
  readonly subscription: Found<SubscriptionView>;
}

/** Pauses what is active, and enables what is not: an unproven endpoint is challenged again. */
function StateButton({ subscription: { data, put } }: StateButtonProps) {
  const { isUnderWay, failure, send } = useChange<SubscriptionView>();
  const wanted = data.state === 'active' ? 'pause' : 'enable';
  return (
    <>
      <button
        type="button"
        aria-disabled={isUnderWay}
        onClick={async () => {
          const path = `${subscriptionPath(data.subscription_id)}/${wanted}`;
          const answer = await send({ method: 'POST', path });
          if (answer) put(answer.body, answer.etag);
        }}
      >
        {TEXT.subscription[data.state === 'unproven' ? 'challenge' : wanted]}
      </button>
      <FailureNotice failure={failure} what={TEXT.subscription.notSet} />
    </>
  );
}
