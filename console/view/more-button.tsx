import { TEXT } from '../texts.ts';

/** Reads the next page of messages, once at a time. */
export function MoreButton({ isReading, read }: { readonly isReading: boolean; readonly read: () => void }) {
  return (
    <p class="more">
      <button type="button" aria-disabled={isReading} onClick={() => isReading || read()}>
        {TEXT.messages.more}
      </button>
    </p>
  );
}
