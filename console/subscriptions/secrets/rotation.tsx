import { useState } from 'preact/hooks';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import type { Live } from '../../api/live.ts';
import { curlOf } from '../../messages/curl.ts';
import { TEXT } from '../../texts.ts';
import { CopyButton } from '../../view/copy-button.tsx';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { Field } from '../../view/field.tsx';
import { Ping } from '../one/ping.tsx';
import { subscriptionPath } from '../subscription.ts';
import { SecretOnce } from './secret-once.tsx';

interface Rotated {
  readonly secret_id: string;
  readonly signing_secret?: string;
  readonly signing_secrets: SubscriptionView['signing_secrets'];
  readonly effective_within_seconds: number;
}

interface RotationProps {
  readonly subscription: Live<SubscriptionView> & { readonly data: SubscriptionView };
  /** Told which secret is the new one. */
  readonly rotatedTo: (secretId: string) => void;
}

const HOUR_SECONDS = 3_600;
const OVERLAPS = {
  none: 0,
  hour: HOUR_SECONDS,
  day: 24 * HOUR_SECONDS,
  week: 7 * 24 * HOUR_SECONDS,
} as const;
type Overlap = keyof typeof OVERLAPS;

/** A rotation, step by step: each step says what to do, and begins when the one before it is done. */
export function Rotation({ subscription: { data, put, refresh }, rotatedTo }: RotationProps) {
  const [overlap, choose] = useState<Overlap>('day');
  const [rotated, show] = useState<Rotated>();
  const [isStored, store] = useState(false);
  const [pinged, check] = useState<MessageView>();
  const { isUnderWay, failure, send } = useChange<Rotated>();
  const path = `${subscriptionPath(data.subscription_id)}/secrets`;
  const step = rotated === undefined ? 1 : !isStored ? 2 : !pinged ? 3 : 4;
  const secret = rotated?.signing_secret;
  const isOverlap = data.signing_secrets.length > 1;
  const current = (number: number) => (number === step ? { 'aria-current': 'step' as const } : {});
  return (
    <section>
      <h2>{TEXT.rotation.title}</h2>
      <ol class="steps">
        <li {...current(1)}>
          <h3>{TEXT.rotation.add}</h3>
          {step === 1 && (
            <>
              <Field id="overlap" label={TEXT.rotation.overlap} hint={TEXT.rotation.overlapHint}>
                {(described) => (
                  <select
                    {...described}
                    value={overlap}
                    onChange={(event) => choose(event.currentTarget.value as Overlap)}
                  >
                    {(Object.keys(OVERLAPS) as Overlap[]).map((name) => (
                      <option key={name} value={name}>
                        {TEXT.rotation.overlaps[name]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <FailureNotice failure={failure} what={TEXT.rotation.failed} />
              <button
                type="button"
                class="main"
                aria-disabled={isUnderWay}
                onClick={async () => {
                  const answer = await send({
                    method: 'POST',
                    path,
                    body: { overlap_seconds: OVERLAPS[overlap] },
                  });
                  if (answer) {
                    show(answer.body);
                    rotatedTo(answer.body.secret_id);
                    put({ ...data, signing_secrets: answer.body.signing_secrets }, answer.etag);
                    refresh();
                  }
                }}
              >
                {TEXT.rotation.addNow}
              </button>
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
              <button type="button" class="main" onClick={() => store(true)}>
                {TEXT.rotation.isStored}
              </button>
            </>
          )}
        </li>
        <li {...current(3)}>
          <h3>{TEXT.rotation.check}</h3>
          {rotated && isStored && (
            <>
              <p>
                {isOverlap
                  ? TEXT.rotation.checkBoth
                  : TEXT.rotation.checkNew(rotated.effective_within_seconds)}
              </p>
              <Ping id={data.subscription_id} succeeded={check} />
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
