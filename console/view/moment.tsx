import { useNow } from '../api/live.ts';
import { distance, localTime, utc } from '../words/time.ts';

/** An instant in the viewer's zone; UTC when pointed at. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {localTime(at, Date.now())}
    </time>
  );
}

/** How far away an instant is, counted down or up: `40 s`. */
export function Away({ at }: { readonly at: string }) {
  const nowMs = useNow(1_000);
  return (
    <time dateTime={at} title={utc(at)}>
      {distance(Date.parse(at) - nowMs)}
    </time>
  );
}
