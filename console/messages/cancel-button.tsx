import { useState } from 'preact/hooks';
import type { MessageView } from '../../functions/core/message/message-view.ts';
import { useChange } from '../api/change.ts';
import { TEXT } from '../texts.ts';
import { ConfirmButtons } from '../view/confirm-buttons.tsx';
import { Dialog } from '../view/dialog.tsx';
import { FailureNotice } from '../view/failure-notice.tsx';
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
        <CancelDialog
          message={message}
          close={() => setIsAsking(false)}
          done={() => {
            setIsAsking(false);
            setIsAsked(true);
            for (const afterMs of [500, 1_500, 4_000]) setTimeout(done, afterMs);
          }}
        />
      )}
    </>
  );
}

function CancelDialog({ message, close, done }: CancelProps & { readonly close: () => void }) {
  const { isUnderWay, failure, send } = useChange<unknown>();
  const path = `/messages/${encodeURIComponent(message.message_id)}/cancel`;
  return (
    <Dialog title={TEXT.cancelMessage.title} close={close}>
      <ul>
        <li>{TEXT.cancelMessage.noMore}</li>
        <li>{TEXT.cancelMessage.others}</li>
        <li>{TEXT.cancelMessage.again}</li>
      </ul>
      <FailureNotice failure={failure} what={TEXT.cancelMessage.failed} />
      <ConfirmButtons
        confirm={TEXT.cancelMessage.confirm}
        keep={TEXT.cancelMessage.keep}
        isUnderWay={isUnderWay}
        run={async () => {
          if (await send({ method: 'POST', path })) done();
        }}
        close={close}
      />
    </Dialog>
  );
}
