import type { ComponentChildren } from 'preact';
import type { Live } from '../api/live.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from './failure-notice.tsx';

interface ReadProps<Body> {
  readonly live: Pick<Live<Body>, 'data' | 'failure' | 'refresh'>;
  /** What did not happen: `The changes could not be read`. */
  readonly what: string;
  /** As high as what will come, so that nothing jumps. */
  readonly lines?: number;
  readonly children: (data: Body) => ComponentChildren;
}

/** What was read, as soon as it has been; and what went wrong with the latest request. */
export function Read<Body>({ live: { data, failure, refresh }, what, lines, children }: ReadProps<Body>) {
  return (
    <>
      <FailureNotice failure={failure} what={what} again={refresh} />
      {data === undefined ? failure === undefined && <Loading lines={lines} /> : children(data)}
    </>
  );
}

/** Lines in place of what will come. */
export function Loading({ lines = 3 }: { readonly lines?: number | undefined }) {
  return (
    <div class="loading" role="status">
      <span class="for-readers">{TEXT.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="bar" />
      ))}
    </div>
  );
}

/** In place of what there is not. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}
