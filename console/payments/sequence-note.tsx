import { TEXT } from '../texts.ts';
import { Moment } from '../view/moment.tsx';
import type { Timeline } from './timeline.ts';

/** How far the publisher's numbers are, where something is missing; nothing while all is well. */
export function SequenceNote({ sequence }: { readonly sequence: NonNullable<Timeline['sequence']> }) {
  const { next, next_awaited_until, early, missing } = sequence;
  if (early.length === 0 && missing.length === 0) return null;
  return (
    <div class="notice waits">
      {early.length > 0 && (
        <p>
          {TEXT.payment.awaited(next, early.map((event) => event.sequence).join(', '))}
          {next_awaited_until !== undefined && (
            <>
              {' '}
              {TEXT.payment.awaitedUntil} <Moment at={next_awaited_until} />.
            </>
          )}
        </p>
      )}
      {missing.length > 0 && <p>{TEXT.payment.missing(missing.join(', '))}</p>}
    </div>
  );
}
