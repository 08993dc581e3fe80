import type { ComponentChildren } from 'preact';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { problemKind } from '../../api/failure.ts';
import { type Found, useLive } from '../../api/live.ts';
import { hrefOf, type Route } from '../../app/route.ts';
import { useIsOfStage } from '../../app/session.ts';
import { TEXT } from '../../texts.ts';
import { Empty, Read } from '../../view/read.tsx';
import { Screen } from '../../view/screen.tsx';
import { nameOf, subscriptionPath } from '../subscription.ts';

const LOOK_EVERY_MS = 5_000;

interface FrameProps {
  readonly id: string;
  /** Which of its screens this is. */
  readonly tab: keyof typeof TEXT.subscription.tabs;
  readonly children: (subscription: Found<SubscriptionView>) => ComponentChildren;
}

/** What all screens of one subscription share: its name, and the way from one to another. */
export function SubscriptionFrame({ id, tab, children }: FrameProps) {
  const live = useLive<SubscriptionView>(subscriptionPath(id), LOOK_EVERY_MS);
  const isOfStage = useIsOfStage();
  const name = live.data === undefined ? TEXT.subscription.unnamed : nameOf(live.data);
  return (
    <Screen
      title={<bdi>{name}</bdi>}
      name={`${TEXT.subscription.tabs[tab]} · ${name}`}
      up={{ href: hrefOf({ screen: 'subscriptions' }), label: TEXT.subscriptions.title }}
    >
      <nav class="tabs" aria-label={TEXT.subscription.places}>
        {tabsOf(id, isOfStage).map(({ tab: other, route }) => (
          <a key={other} href={hrefOf(route)} {...(other === tab ? { 'aria-current': 'page' as const } : {})}>
            {TEXT.subscription.tabs[other]}
          </a>
        ))}
      </nav>
      {problemKind(live.failure) === 'not-found' ? (
        <Empty>{TEXT.subscription.gone}</Empty>
      ) : (
        <Read live={live} what={TEXT.subscription.notRead} lines={6}>
          {(subscription) => children({ ...live, data: subscription })}
        </Read>
      )}
    </Screen>
  );
}

interface Tab {
  readonly tab: FrameProps['tab'];
  readonly route: Route;
}

/** A session of the whole stage neither sends again nor sees secrets. */
function tabsOf(id: string, isOfStage: boolean): readonly Tab[] {
  const ofPartner: readonly Tab[] = [
    { tab: 'recover', route: { screen: 'recover', id } },
    { tab: 'secrets', route: { screen: 'secrets', id } },
  ];
  return [
    { tab: 'overview', route: { screen: 'subscription', id } },
    { tab: 'messages', route: { screen: 'messages', id, filter: {} } },
    ...(isOfStage ? [] : ofPartner),
    { tab: 'changes', route: { screen: 'changes', subscription: id } },
  ];
}
