import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Found } from '../../api/live.ts';
import { hrefOf } from '../../app/route.ts';
import { useMayManage } from '../../app/session.ts';
import { TEXT } from '../../texts.ts';
import { Badge } from '../../view/badge.tsx';
import { InWords } from '../../view/in-words.tsx';
import { useHealth } from '../use-health.ts';
import { Day } from './day.tsx';
import { DeleteButton } from './delete-button.tsx';
import { SubscriptionFrame } from './frame.tsx';
import { Ping } from './ping.tsx';
import { Settings } from './settings.tsx';
import { StateButton } from './state-button.tsx';

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
