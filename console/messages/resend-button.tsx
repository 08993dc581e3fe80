import { useState } from 'preact/hooks';
import { CHALLENGE, isPing } from '../../functions/core/catalogue/ping-names.ts';
import type { MessageView } from '../../functions/core/message/message-view.ts';
import { useChange } from '../api/change.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { isFinal } from './message-state.ts';

interface ResendButtonProps {
  readonly message: MessageView;
  readonly done: () => void;
}

/** Sends a message again that has ended, or one that is retried at once. Says why, where it cannot. */
export function ResendButton({ message, done }: ResendButtonProps) {
  const { isUnderWay, failure, send } = useChange<unknown>();
  // The attempts that there were: with one more the request has been carried out.
  const [askedAt, setAskedAt] = useState<number>();
  const why = isPing(message)
    ? TEXT.resend[message.event_type === CHALLENGE ? 'challenge' : 'ping']
    : message.body_erased_at !== undefined
      ? TEXT.resend.erased
      : undefined;
  const isAsked = askedAt === message.attempt_count;
  const isRetried = message.state === 'retrying';
  if (!isFinal(message) && !isRetried) {
    return null;
  }
  return (
    <div class="resend">
      <button
        type="button"
        aria-disabled={isUnderWay || isAsked}
        disabled={why !== undefined}
        onClick={async () => {
          if (isAsked) return;
          const path = `/messages/${encodeURIComponent(message.message_id)}/resend`;
          if (await send({ method: 'POST', path })) {
            setAskedAt(message.attempt_count);
            for (const afterMs of [500, 1_500, 4_000]) setTimeout(done, afterMs);
          }
        }}
      >
        {isRetried ? TEXT.resend.now : TEXT.resend.send}
      </button>{' '}
      <span role="status" class="soft">
        {why ?? (isAsked && !isRetried ? TEXT.resend.asked : '')}
      </span>
      <FailureNotice failure={failure} what={TEXT.resend.failed} />
    </div>
  );
}
