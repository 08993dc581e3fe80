import { useNow } from '../api/live.ts';
import { TEXT } from '../texts.ts';
import { distance, localTime, utc } from '../words/time.ts';

/** An instant in the viewer's zone; UTC when pointed at. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {localTime(at, Date.now())}
    </time>
  );
}

/** How far away an instant is, counted down: `in 40 s`, and then `is due`. */
export function Away({ at }: { readonly at: string }) {
  const away = Date.parse(at) - useNow(1_000);
  return (
    <time dateTime={at} title={utc(at)}>
      {away > 0 ? TEXT.health.inTime(distance(away)) : TEXT.health.isDue}
    </time>
  );
}
