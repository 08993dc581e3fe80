import { TEXT } from '../../texts.ts';
import { linePath } from '../../view/line-path.ts';
import { linear } from '../../view/linear.ts';
import { useWidth } from '../../view/use-width.ts';
import { count, share } from '../../words/numbers.ts';
import { duration, durationOr, localTime, utc } from '../../words/time.ts';
import { type Hour, type Length, totals } from './hours.ts';

const HEIGHT = 306;
const TOP = 26;
const BOTTOM = 26;
const LEFT = 52;
const RIGHT = 10;
/** Of the bars with the attempts, below the line with the rate. */
const BARS = 46;
/** Where they stand. */
const FOOT = 174;
/** Of the line with the time to send, below both. */
const TIMES = 66;
const GAP = 14;
/** Pixels that the name of an hour needs. */
const ROOM = 62;

const px = (value: number) => Math.round(value * 10) / 10;

/** The success rate by the hour, above the attempts that it comes from, above the time to send. */
export function DayChart({ hours, by }: { readonly hours: readonly Hour[]; readonly by: Length }) {
  const nameOf = by === 'day' ? dayName : clockTo(by === 'hour' ? 'HH:MM' : 'HH:MM:SS');
  const [place, width] = useWidth<HTMLDivElement>(344);
  const step = (width - RIGHT - LEFT) / hours.length;
  const at = (hour: Hour) => LEFT + (hours.indexOf(hour) + 0.5) * step;
  const floor = HEIGHT - BOTTOM;
  const all = totals(hours);
  const rate = linear([0, 1], [FOOT - BARS - GAP, TOP]);
  const time = linear([0, all.p95 ?? 1], [floor, floor - TIMES]);
  const max = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed));
  const tall = linear([0, max], [0, BARS]);
  const spots = (name: 'rate' | 'p95', place: (value: number) => number) =>
    hours.map((hour) => (hour[name] === null ? undefined : ([at(hour), place(hour[name])] as const)));
  const rates = spots('rate', rate);
  const every = Math.ceil((hours.length * ROOM) / (width - LEFT));
  const bar = Math.max(2, step * 0.7);
  return (
    <div ref={place}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={TEXT.day.summary(
          share(all.rate ?? 0),
          count(all.delivered),
          count(all.failed),
          durationOr(all.p95),
        )}
      >
        {[0, 0.5, 1].map((value) => (
          <g key={value}>
            <line class="grid" x1={LEFT} x2={width - RIGHT} y1={px(rate(value))} y2={px(rate(value))} />
            <text class="end" x={LEFT - 8} y={px(rate(value) + 4)}>
              {share(value)}
            </text>
          </g>
        ))}
        <text x="0" y="12">
          {TEXT.day.axis}
        </text>
        <text x="0" y={floor - TIMES - 14}>
          {TEXT.day.p95}
        </text>
        {all.p95 !== null &&
          [0, all.p95].map((value) => (
            <g key={value}>
              <line class="grid" x1={LEFT} x2={width - RIGHT} y1={px(time(value))} y2={px(time(value))} />
              <text class="end" x={LEFT - 8} y={px(time(value) + 4)}>
                {value === 0 ? '0' : duration(value)}
              </text>
            </g>
          ))}
        <path class="line tone-1" d={linePath(spots('p95', time))} />
        <path class="fill tone-3" d={linePath(rates, rate(0))} />
        <path class="line tone-3" d={linePath(rates)} />
        {hours.map((hour, index) => (
          <g key={hour.since}>
            {hour.p95 !== null && (
              <circle class="dot tone-1" cx={px(at(hour))} cy={px(time(hour.p95))} r="2.5" />
            )}
            {hour.rate !== null && (
              <circle class="dot tone-3" cx={px(at(hour))} cy={px(rate(hour.rate))} r="2.5" />
            )}
            <rect
              class="solid tone-6"
              x={px(at(hour) - bar / 2)}
              y={px(FOOT - tall(hour.delivered))}
              width={px(bar)}
              height={px(tall(hour.delivered))}
            />
            <rect
              class="solid tone-2"
              x={px(at(hour) - bar / 2)}
              y={px(FOOT - tall(hour.delivered + hour.failed))}
              width={px(bar)}
              height={px(tall(hour.failed))}
            />
            {(hours.length - 1 - index) % every === 0 && (
              <text class="middle" x={px(Math.min(at(hour), width - 18))} y={HEIGHT - 8}>
                {nameOf(hour.since)}
              </text>
            )}
          </g>
        ))}
        <line class="mark" x1={LEFT} x2={width - RIGHT} y1={FOOT} y2={FOOT} />
        {hours.map((hour) => (
          <g key={hour.since} class="here">
            <rect x={px(at(hour) - step / 2)} y={TOP} width={px(step)} height={floor - TOP} />
            <line x1={px(at(hour))} x2={px(at(hour))} y1={TOP} y2={floor} />
            <text class="end" x={width - RIGHT} y="12">
              {TEXT.day.readout(
                nameOf(hour.since),
                hour.rate === null ? '–' : share(hour.rate),
                count(hour.delivered),
                count(hour.failed),
                durationOr(hour.p95),
              )}
            </text>
            <title>{utc(hour.since)}</title>
          </g>
        ))}
      </svg>
      <ul class="legend">
        <li>
          <span class="swatch tone-3" /> {TEXT.day.rate}
        </li>
        <li>
          <span class="swatch tone-6" /> {TEXT.day.delivered}
        </li>
        <li>
          <span class="swatch tone-2" /> {TEXT.day.failed}
        </li>
        <li>
          <span class="swatch tone-1" /> {TEXT.day.p95}
        </li>
      </ul>
    </div>
  );
}

/** In the viewer's zone, as exactly as this. */
function clockTo({ length }: string) {
  return (iso: string) => localTime(iso, Date.parse(iso)).slice(0, length);
}

/** `23 Nov`: days are those of UTC. */
export function dayName(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}
