import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import type { Found } from '../../api/live.ts';
import { TEXT } from '../../texts.ts';
import { ConfirmButtons } from '../../view/confirm-buttons.tsx';
import { CopyButton } from '../../view/copy-button.tsx';
import { Dialog } from '../../view/dialog.tsx';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { Moment } from '../../view/moment.tsx';
import { subscriptionPath } from '../subscription.ts';

interface SecretTableProps {
  readonly subscription: Found<SubscriptionView>;
  readonly mayRevoke: boolean;
}

/** The secrets that sign now. */
export function SecretTable({ subscription, mayRevoke }: SecretTableProps) {
  const [revoked, setRevoked] = useState<string>();
  const { signing_secrets } = subscription.data;
  const isRotation = signing_secrets.length > 1;
  return (
    <>
      <ul class="rows">
        {signing_secrets.map(({ secret_id, created_at, expires_at, public_key }) => (
          <li key={secret_id} class="row">
            <div class="row-head">
              <code>{secret_id}</code>
              {isRotation && expires_at === undefined && <span class="tag">{TEXT.secrets.new}</span>}
              {/* One that lasts has to stay: the API refuses to revoke it. */}
              {mayRevoke && expires_at !== undefined && (
                <button
                  type="button"
                  class="danger"
                  aria-label={TEXT.secrets.revokeThis(secret_id)}
                  onClick={() => setRevoked(secret_id)}
                >
                  {TEXT.secrets.revoke}
                </button>
              )}
            </div>
            <p>
              {TEXT.secrets.created} <Moment at={created_at} />
              {' · '}
              {expires_at === undefined ? (
                TEXT.secrets.lasts
              ) : (
                <>
                  {TEXT.secrets.until} <Moment at={expires_at} />
                </>
              )}
            </p>
            <p class="soft key">
              {TEXT.secrets.publicKey} <code>{public_key}</code>{' '}
              <CopyButton text={() => public_key} label={TEXT.secrets.copyKey} />
            </p>
          </li>
        ))}
      </ul>
      {revoked !== undefined && (
        <RevokeDialog subscription={subscription} secretId={revoked} close={() => setRevoked(undefined)} />
      )}
    </>
  );
}

interface RevokeDialogProps {
  readonly subscription: SecretTableProps['subscription'];
  readonly secretId: string;
  readonly close: () => void;
}

function RevokeDialog({ subscription, secretId, close }: RevokeDialogProps) {
  const { isUnderWay, failure, send } = useChange<unknown>();
  const path = `${subscriptionPath(subscription.data.subscription_id)}/secrets/${encodeURIComponent(secretId)}`;
  return (
    <Dialog title={TEXT.secrets.revokeTitle} close={close}>
      <p>
        <code>{secretId}</code>
      </p>
      <p>{TEXT.secrets.revokeWhat}</p>
      <FailureNotice failure={failure} what={TEXT.secrets.notRevoked} />
      <ConfirmButtons
        confirm={TEXT.secrets.revoke}
        keep={TEXT.cancel}
        isUnderWay={isUnderWay}
        run={async () => {
          if (await send({ method: 'DELETE', path })) {
            subscription.refresh();
            close();
          }
        }}
        close={close}
      />
    </Dialog>
  );
}
