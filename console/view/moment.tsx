import { useNow } from '../api/live.ts';
import { TEXT } from '../texts.ts';
import { distance, localTime, type Precision, utc } from '../words/time.ts';

/**
 * An instant in the viewer's zone; UTC when pointed at.
 *
 * @param from where the span begins that it ends: the day is left out if it is the same @default - today
 * @param precision @default 'second'
 */
export function Moment({
  at,
  from,
  precision,
}: {
  readonly at: string;
  readonly from?: string;
  readonly precision?: Precision;
}) {
  return (
    <time dateTime={at} title={utc(at)}>
      {localTime(at, from === undefined ? Date.now() : Date.parse(from), undefined, precision)}
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
