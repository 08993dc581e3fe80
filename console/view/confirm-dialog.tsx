import type { ComponentChildren } from 'preact';
import { useChange, type Wanted } from '../api/change.ts';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';

interface ConfirmDialogProps {
  /** `failed`: what did not happen. `keep`: on the button that changes nothing. */
  readonly text: {
    readonly title: string;
    readonly confirm: string;
    readonly keep: string;
    readonly failed: string;
  };
  readonly change: Wanted;
  readonly done: () => void;
  readonly close: () => void;
  /** What would happen. */
  readonly children: ComponentChildren;
}

/** Does what cannot be undone after it was confirmed, or keeps everything as it is. */
export function ConfirmDialog({ text, change, done, close, children }: ConfirmDialogProps) {
  const { isUnderWay, failure, send } = useChange<unknown>();
  return (
    <Dialog title={text.title} close={close}>
      {children}
      <FailureNotice failure={failure} what={text.failed} />
      <div class="actions">
        <button
          type="button"
          class="danger"
          aria-disabled={isUnderWay}
          onClick={async () => {
            if (await send(change)) done();
          }}
        >
          {text.confirm}
        </button>
        <button type="button" class="keeps" onClick={close}>
          {text.keep}
        </button>
      </div>
    </Dialog>
  );
}
