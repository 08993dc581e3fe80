import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../../api/live.ts';
import { go } from '../../app/use-route.ts';
import { TEXT } from '../../texts.ts';
import { ConfirmDialog } from '../../view/confirm-dialog.tsx';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { Outside } from '../../view/outside.tsx';
import { counted } from '../../words/numbers.ts';
import { nameOf, type Statistics, subscriptionPath } from '../subscription.ts';

/** Deletes a subscription after it has said what would be lost. */
export function DeleteButton({ subscription }: { readonly subscription: SubscriptionView }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setIsAsking(true)}>
        {TEXT.delete.open}
      </button>
      {isAsking && <DeleteDialog subscription={subscription} close={() => setIsAsking(false)} />}
    </>
  );
}

function DeleteDialog({ subscription, close }: { subscription: SubscriptionView; close: () => void }) {
  const path = subscriptionPath(subscription.subscription_id);
  const statistics = useLive<Statistics>(`${path}/statistics?by=hour`);
  const waiting = statistics.data?.waiting;
  return (
    <ConfirmDialog
      text={TEXT.delete}
      change={{ method: 'DELETE', path }}
      close={close}
      done={() => go({ screen: 'subscriptions' })}
    >
      <p>
        <strong>
          <bdi>{nameOf(subscription)}</bdi>
        </strong>
        <br />
        <Outside text={subscription.callback_url} />
      </p>
      <ul>
        <li>{TEXT.delete.noMore}</li>
        <li>
          {waiting === undefined
            ? TEXT.loading
            : waiting.count === 0
              ? TEXT.delete.nothingWaits
              : TEXT.delete.cancels(
                  `${waiting.is_more ? TEXT.delete.more : ''}${counted(waiting.count, 'message')}`,
                )}
        </li>
        <li>{TEXT.delete.list}</li>
        <li>{TEXT.delete.secrets}</li>
      </ul>
      <FailureNotice failure={statistics.failure} what={TEXT.delete.notCounted} again={statistics.refresh} />
    </ConfirmDialog>
  );
}
