import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import type { Found } from '../../api/live.ts';
import { TEXT } from '../../texts.ts';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { subscriptionPath } from '../subscription.ts';

interface StateButtonProps {
  readonly subscription: Found<SubscriptionView>;
}

/** Pauses what is active, and enables what is not. */
export function StateButton({ subscription: { data, put } }: StateButtonProps) {
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
