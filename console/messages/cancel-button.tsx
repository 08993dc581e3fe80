import { useState } from 'preact/hooks';
import type { MessageView } from '../../functions/core/message/message-view.ts';
import { TEXT } from '../texts.ts';
import { ConfirmDialog } from '../view/confirm-dialog.tsx';
import { isFinal } from './message-state.ts';

interface CancelProps {
  readonly message: MessageView;
  readonly done: () => void;
}

/** Cancels a message that has not ended, after it has said what that means. */
export function CancelButton({ message, done }: CancelProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  if (isFinal(message)) {
    return null;
  }
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-disabled={isAsked}
        onClick={() => isAsked || setIsAsking(true)}
      >
        {TEXT.cancelMessage.open}
      </button>{' '}
      <span role="status" class="soft">
        {isAsked ? TEXT.cancelMessage.asked : ''}
      </span>
      {isAsking && (
        <ConfirmDialog
          text={TEXT.cancelMessage}
          change={{ method: 'POST', path: `/messages/${encodeURIComponent(message.message_id)}/cancel` }}
          close={() => setIsAsking(false)}
          done={() => {
            setIsAsking(false);
            setIsAsked(true);
            for (const afterMs of [500, 1_500, 4_000]) setTimeout(done, afterMs);
          }}
        >
          <ul>
            <li>{TEXT.cancelMessage.noMore}</li>
            <li>{TEXT.cancelMessage.others}</li>
            <li>{TEXT.cancelMessage.again}</li>
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
}
