import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Found } from '../../api/live.ts';
import { TEXT } from '../../texts.ts';
import { ConfirmDialog } from '../../view/confirm-dialog.tsx';
import { CopyButton } from '../../view/copy-button.tsx';
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
        <ConfirmDialog
          text={TEXT.secrets.revoking}
          change={{
            method: 'DELETE',
            path: `${subscriptionPath(subscription.data.subscription_id)}/secrets/${encodeURIComponent(revoked)}`,
          }}
          done={() => {
            subscription.refresh();
            setRevoked(undefined);
          }}
          close={() => setRevoked(undefined)}
        >
          <p>
            <code>{revoked}</code>
          </p>
          <p>{TEXT.secrets.revokeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
