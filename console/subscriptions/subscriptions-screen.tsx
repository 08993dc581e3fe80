import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { useIsOfStage, useMayCreate } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { InWords } from '../view/in-words.tsx';
import { Read } from '../view/read.tsx';
import { Screen } from '../view/screen.tsx';
import { CallbackUrl } from './callback-url.tsx';
import { SmallDay } from './small-day.tsx';
import { nameAmong, type Subscriptions, typesText } from './subscription.ts';
import { useHealth } from './use-health.ts';

const LOOK_EVERY_MS = 5_000;

export function SubscriptionsScreen() {
  const live = useLive<Subscriptions>('/subscriptions', LOOK_EVERY_MS);
  const mayCreate = useMayCreate();
  const ofStage = useIsOfStage();
  return (
    <Screen
      title={TEXT.subscriptions.title}
      name={TEXT.subscriptions.title}
      actions={
        mayCreate && (
          <a class="button main" href={hrefOf({ screen: 'new' })}>
            {TEXT.subscriptions.create}
          </a>
        )
      }
    >
      <Read live={live} what={TEXT.subscriptions.notRead} lines={4}>
        {({ subscriptions }) =>
          subscriptions.length === 0 ? (
            <div class="empty">
              <p>{ofStage ? TEXT.stage.noSubscription : TEXT.subscriptions.empty}</p>
              {mayCreate && (
                <a class="button main" href={hrefOf({ screen: 'new' })}>
                  {TEXT.subscriptions.createFirst}
                </a>
              )}
            </div>
          ) : (
            <ul class="rows">
              {subscriptions.map((one) => (
                <Row key={one.subscription_id} subscription={one} name={nameAmong(one, subscriptions)} />
              ))}
            </ul>
          )
        }
      </Read>
    </Screen>
  );
}

function Row({ subscription, name }: { readonly subscription: SubscriptionView; readonly name: string }) {
  const { tone, word, sentence, statistics } = useHealth(subscription, true);
  const { subscription_id: id, callback_url, event_types, live } = subscription;
  return (
    <li class="row">
      <div class="row-head">
        <a class="row-name" href={hrefOf({ screen: 'subscription', id })}>
          <bdi>{name}</bdi>
        </a>
        <Badge tone={tone} word={word} />
        <span class="tag">{live ? TEXT.live : TEXT.test}</span>
      </div>
      <p class="url">
        <CallbackUrl url={callback_url} />
      </p>
      <p class="soft">{typesText(event_types)}</p>
      <InWords sentence={sentence} />
      <SmallDay periods={statistics?.periods} />
    </li>
  );
}
