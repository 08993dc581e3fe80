interface ConfirmButtonsProps {
  readonly confirm: string;
  readonly keep: string;
  readonly isUnderWay: boolean;
  readonly run: () => Promise<void>;
  readonly close: () => void;
}

/** At the end of a dialog: does what cannot be undone, or keeps everything as it is. */
export function ConfirmButtons({ confirm, keep, isUnderWay, run, close }: ConfirmButtonsProps) {
  return (
    <div class="actions">
      <button type="button" class="danger" aria-disabled={isUnderWay} onClick={run}>
        {confirm}
      </button>
      <button type="button" class="keeps" onClick={close}>
        {keep}
      </button>
    </div>
  );
}
