import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import type { Found } from '../../api/live.ts';
import { hrefOf } from '../../app/route.ts';
import { useMayManage } from '../../app/session.ts';
import { TEXT } from '../../texts.ts';
import { Badge } from '../../view/badge.tsx';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { InWords } from '../../view/in-words.tsx';
import { subscriptionPath } from '../subscription.ts';
import { useHealth } from '../use-health.ts';
import { Day } from './day.tsx';
import { DeleteButton } from './delete-button.tsx';
import { SubscriptionFrame } from './frame.tsx';
import { Ping } from './ping.tsx';
import { Settings } from './settings.tsx';

export function OverviewScreen({ id }: { readonly id: string }) {
  return (
    <SubscriptionFrame id={id} tab="overview">
      {(subscription) => <Overview subscription={subscription} />}
    </SubscriptionFrame>
  );
}

function Overview({ subscription }: { readonly subscription: Found<SubscriptionView> }) {
  const { tone, word, sentence } = useHealth(subscription.data);
  const mayManage = useMayManage();
  const { subscription_id: id, live } = subscription.data;
  return (
    <>
      <div class="row-head">
        <Badge tone={tone} word={word} />
        <span class="tag">{live ? TEXT.live : TEXT.test}</span>
      </div>
      <InWords sentence={sentence} />
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

interface StateButtonProps {
  readonly subscription: Found<SubscriptionView>;
}

/** Pauses what is active, and enables what is not. */
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
        {TEXT.subscription[wanted]}
      </button>
      <FailureNotice failure={failure} what={TEXT.subscription.notSet} />
    </>
  );
}
