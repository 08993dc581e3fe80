import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Found } from '../../api/live.ts';
import { useMayManage } from '../../app/session.ts';
import { TEXT } from '../../texts.ts';
import { SubscriptionFrame } from '../one/frame.tsx';
import { Rotation } from './rotation.tsx';
import { SecretTable } from './secret-table.tsx';
import { Verify } from './verify.tsx';

export function SecretsScreen({ id }: { readonly id: string }) {
  return (
    <SubscriptionFrame id={id} tab="secrets">
      {(subscription) => <Secrets subscription={subscription} />}
    </SubscriptionFrame>
  );
}

function Secrets({ subscription }: { readonly subscription: Found<SubscriptionView> }) {
  const mayManage = useMayManage();
  return (
    <>
      <p class="lead">{TEXT.secrets.lead}</p>
      <SecretTable subscription={subscription} mayRevoke={mayManage} />
      {mayManage ? <Rotation subscription={subscription} /> : <p class="soft">{TEXT.session.readOnlyWhy}</p>}
      <Verify subscription={subscription.data} />
    </>
  );
}
