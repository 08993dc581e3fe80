import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import type { Answer } from '../../api/queries.ts';
import { TEXT } from '../../texts.ts';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { SelectField } from '../../view/field.tsx';
import { subscriptionPath } from '../subscription.ts';

/** What the API answers to a rotation. */
export interface Rotated {
  readonly secret_id: string;
  readonly signing_secret?: string;
  readonly signing_secrets: SubscriptionView['signing_secrets'];
  readonly effective_within_seconds: number;
}

const HOUR_SECONDS = 3_600;
const OVERLAPS = {
  none: 0,
  hour: HOUR_SECONDS,
  day: 24 * HOUR_SECONDS,
  week: 7 * 24 * HOUR_SECONDS,
} as const;
type Overlap = keyof typeof OVERLAPS;

interface AddSecretProps {
  readonly subscriptionId: string;
  /** Whether a rotation is under way, and this would add one more. */
  readonly isAnother: boolean;
  readonly added: (answer: Answer<Rotated>) => void;
}

export function AddSecret({ subscriptionId, isAnother, added }: AddSecretProps) {
  const [overlap, setOverlap] = useState<Overlap>('day');
  const { isUnderWay, failure, send } = useChange<Rotated>();
  return (
    <>
      <SelectField
        id="overlap"
        label={TEXT.rotation.overlap}
        hint={TEXT.rotation.overlapHint}
        value={overlap}
        options={Object.keys(OVERLAPS) as Overlap[]}
        textOf={(name) => TEXT.rotation.overlaps[name]}
        chosen={setOverlap}
      />
      <FailureNotice failure={failure} what={TEXT.rotation.failed} />
      <button
        type="button"
        class={isAnother ? '' : 'main'}
        aria-disabled={isUnderWay}
        onClick={async () => {
          const answer = await send({
            method: 'POST',
            path: `${subscriptionPath(subscriptionId)}/secrets`,
            body: { overlap_seconds: OVERLAPS[overlap] },
          });
          if (answer) added(answer);
        }}
      >
        {isAnother ? TEXT.rotation.addAnother : TEXT.rotation.addNow}
      </button>
    </>
  );
}
