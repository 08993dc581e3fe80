import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { useIsOfStage, useMayCreate } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { Read } from '../view/read.tsx';
import { Screen } from '../view/screen.tsx';
import type { Subscriptions } from './subscription.ts';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const LOOK_EVERY_MS = 5_000;

export function SubscriptionsScreen() {
  const live = useLive<Subscriptions>('/subscriptions?with_statistics=true', LOOK_EVERY_MS);
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
            <SubscriptionsTable subscriptions={subscriptions} />
          )
        }
      </Read>
    </Screen>
  );
}
