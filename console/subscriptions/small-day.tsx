import type { Period } from '../../functions/core/statistics/statistics.ts';
import { TEXT } from '../texts.ts';
import { linePath } from '../view/line-path.ts';
import { share } from '../words/numbers.ts';
import { durationOr } from '../words/time.ts';
import { latest, totals } from './one/hours.ts';

const WIDTH = 90;
const HEIGHT = 22;
/** Below it, somebody should look. */
const LOW_RATE = 0.95;

/**
 * The last day of a subscription in a list: success rate and time to send by the hour, each from nothing up.
 */
export function SmallDay({ periods }: { readonly periods: readonly Period[] | undefined }) {
  const hours = latest(periods ?? []);
  const { rate, p95 } = totals(hours);
  if (rate === null) return <div class="small-charts" />;
  const [rateText, p95Text] = [share(rate), durationOr(p95)];
  return (
    <div class="small-charts" role="img" aria-label={TEXT.day.small(rateText, p95Text)}>
      <span class={rate < LOW_RATE ? 'low' : ''}>
        <Course tone="tone-3" values={hours.map((hour) => hour.rate)} />
        {TEXT.day.smallRate(rateText)}
      </span>
      <span>
        <Course tone="tone-1" values={hours.map((hour) => hour.p95 && hour.p95 / (p95 ?? 1))} />
        p95 {p95Text}
      </span>
    </div>
  );
}

interface CourseProps {
  readonly tone: string;
  /** Of each hour, 0 to 1. */
  readonly values: readonly (number | null)[];
}

export function Course({ tone, values }: CourseProps) {
  // A lone dot says nothing.
  if (values.filter((value) => value !== null).length < 2) return null;
  const step = WIDTH / Math.max(1, values.length - 1);
  const spots = values.map((value, hour) =>
    value === null ? undefined : ([hour * step, HEIGHT - 2 - value * (HEIGHT - 4)] as const),
  );
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line class="grid" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      <path class={`line ${tone}`} d={linePath(spots)} />
    </svg>
  );
}
