import { useState } from 'preact/hooks';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Found } from '../../api/live.ts';
import { curlOf } from '../../messages/curl.ts';
import { TEXT } from '../../texts.ts';
import { CopyButton } from '../../view/copy-button.tsx';
import { Ping } from '../one/ping.tsx';
import { AddSecret, type Rotated } from './add-secret.tsx';
import { SecretOnce } from './secret-once.tsx';

interface RotationProps {
  readonly subscription: Found<SubscriptionView>;
}

/**
 * A rotation, step by step: each step says what to do, and begins when the one before it is done. Whoever
 * comes back while two secrets sign continues with the check.
 */
export function Rotation({ subscription: { data, put, refresh } }: RotationProps) {
  const [rotated, setRotated] = useState<Rotated>();
  const [isStored, setIsStored] = useState(false);
  const [pinged, setPinged] = useState<MessageView>();
  const isOverlap = data.signing_secrets.length > 1;
  const isResumed = rotated === undefined && isOverlap;
  const isChecking = isResumed || (rotated !== undefined && isStored);
  const step = isChecking ? (pinged ? 4 : 3) : rotated === undefined ? 1 : 2;
  const secret = rotated?.signing_secret;
  const current = (number: number) => (number === step ? { 'aria-current': 'step' as const } : {});
  return (
    <section>
      <h2>{TEXT.rotation.title}</h2>
      <ol class="steps">
        <li {...current(1)}>
          <h3>{TEXT.rotation.add}</h3>
          {rotated === undefined && (
            <>
              {isResumed && <p>{TEXT.rotation.wasAdded}</p>}
              <AddSecret
                subscriptionId={data.subscription_id}
                isAnother={isResumed}
                added={({ body, etag }) => {
                  setRotated(body);
                  setPinged(undefined);
                  put({ ...data, signing_secrets: body.signing_secrets }, etag);
                  refresh();
                }}
              />
            </>
          )}
        </li>
        <li {...current(2)}>
          <h3>{TEXT.rotation.store}</h3>
          {rotated && !isStored && (
            <>
              <SecretOnce secret={secret} />
              <p>{TEXT.rotation.storeHow(rotated.effective_within_seconds)}</p>
              {isOverlap && data.extra_signatures.includes('pay-signature') && (
                <p>{TEXT.rotation.storePay}</p>
              )}
              <button type="button" class="main" onClick={() => setIsStored(true)}>
                {TEXT.rotation.isStored}
              </button>
            </>
          )}
        </li>
        <li {...current(3)}>
          <h3>{TEXT.rotation.check}</h3>
          {isChecking && (
            <>
              <p>
                {isOverlap || rotated === undefined
                  ? TEXT.rotation.checkBoth
                  : TEXT.rotation.checkNew(rotated.effective_within_seconds)}
              </p>
              <Ping id={data.subscription_id} succeeded={setPinged} />
              {isOverlap && pinged && secret !== undefined && (
                <>
                  <p>{TEXT.rotation.prove(data.custom_header_names.join(', '))}</p>
                  <CopyButton
                    text={() => curlOf(pinged, data, secret, Date.now())}
                    label={TEXT.rotation.copyProof}
                  />
                </>
              )}
            </>
          )}
        </li>
        <li {...current(4)}>
          <h3>{TEXT.rotation.revoke}</h3>
          {step === 4 && <p>{isOverlap ? TEXT.rotation.revokeHow : TEXT.rotation.revoked}</p>}
        </li>
      </ol>
    </section>
  );
}
