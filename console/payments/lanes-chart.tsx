import { TEXT } from '../texts.ts';
import { linear } from '../view/linear.ts';
import { useWidth } from '../view/use-width.ts';
import { counted } from '../words/numbers.ts';
import { duration, localTime } from '../words/time.ts';
import { compressed, type Lane, type Row } from './timeline.ts';

const HEAD = 26;
const FOOT = 26;
const RIGHT = 12;
/** From here on names stand beside their rows, else above them. */
const BESIDE_FROM = 620;
const GUTTER = 190;
/** Pixels that a character of a time needs on the axis, with the gap to the next time. */
const PER_CHARACTER = 8;

const px = (value: number) => Math.round(value * 10) / 10;

interface LanesChartProps {
  readonly lanes: readonly Lane[];
  readonly nameOf: (subscriptionId: string) => string;
}

/** A payment over all subscriptions: a lane for each, in it a row for each message, with its attempts. */
export function LanesChart({ lanes, nameOf }: LanesChartProps) {
  const [place, width] = useWidth<HTMLDivElement>(344);
  const isBeside = width >= BESIDE_FROM;
  const [rowHeight, lineAt, left] = isBeside ? [26, 13, GUTTER] : [42, 30, 6];
  const { instants, places } = compressed(lanes);
  const scale = linear(
    instants,
    places.map((at) => left + at * (width - RIGHT - left)),
  );
  const [firstMs = 0] = instants;
  const firstText = localTime(new Date(firstMs).toISOString(), Date.now(), undefined, 'millisecond');
  // On a scale that draws hours shorter than they were, how long after the first says more than a clock.
  const textAt = (ms: number) => (ms === firstMs ? firstText : `+${duration(ms - firstMs)}`);
  const x = (ms: number) => px(instants.length < 2 ? left : scale(ms));
  let y = 0;
  const drawn = lanes.map(({ subscriptionId, rows }) => {
    const top = y;
    y += HEAD + rows.length * rowHeight + 10;
    return { subscriptionId, rows, top };
  });
  const height = y + FOOT;
  const messages = lanes.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <div ref={place} class="lanes">
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={TEXT.payment.summary(counted(messages, 'message'), counted(lanes.length, 'subscription'))}
      >
        {ticks(instants, x, (ms) => textAt(ms).length * PER_CHARACTER).map(({ ms, anchor }) => (
          <g key={ms}>
            <line class="grid" x1={x(ms)} x2={x(ms)} y1={HEAD - 6} y2={y} />
            <text class={anchor} x={x(ms)} y={height - 8}>
              {textAt(ms)}
            </text>
          </g>
        ))}
        {drawn.map(({ subscriptionId, rows, top }) => (
          <g key={subscriptionId}>
            <text class="lane-name" x="0" y={top + 16}>
              {nameOf(subscriptionId)}
            </text>
            {rows.map((row, index) => (
              <Message
                key={row.course.message_id}
                row={row}
                x={x}
                top={top + HEAD + index * rowHeight}
                lineAt={lineAt}
                isBeside={isBeside}
              />
            ))}
          </g>
        ))}
      </svg>
      <ul class="legend">
        {(['accepted', 'waited', 'failed', 'delivered'] as const).map((name) => (
          <li key={name}>
            <svg viewBox="0 0 26 12" width="26" height="12" aria-hidden="true">
              {name === 'accepted' && <path class="course" d="M1,6H25" />}
              {name === 'waited' && <path class="course waited" d="M1,6H25" />}
              {name === 'failed' && <Mark x={13} y={6} isGood={false} />}
              {name === 'delivered' && <Mark x={13} y={6} isGood />}
            </svg>{' '}
            {TEXT.payment.legend[name]}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MessageProps {
  readonly row: Row;
  readonly x: (ms: number) => number;
  readonly top: number;
  readonly lineAt: number;
  readonly isBeside: boolean;
}

function Message({ row, x, top, lineAt, isBeside }: MessageProps) {
  const y = top + lineAt;
  const { name, fromMs, toMs, waits, attempts, isOpen, behind } = row;
  const end = Math.max(x(toMs) - 10, isBeside ? 0 : 230);
  return (
    <g>
      <text x={isBeside ? 0 : x(fromMs)} y={isBeside ? y + 4 : top + 16} class={isBeside ? '' : 'start'}>
        {name}
      </text>
      {behind !== undefined && (
        <text class="end" x={end} y={isBeside ? y - 4 : top + 16}>
          {TEXT.payment.behind(behind)}
        </text>
      )}
      <path class="course" d={`M${x(fromMs)},${y}H${x(toMs)}`} />
      {waits.map((wait) => (
        <path key={wait.fromMs} class="course waited" d={`M${x(wait.fromMs)},${y}H${x(wait.toMs)}`} />
      ))}
      {isOpen && <path class="course open" d={`M${x(toMs) - 6},${y - 4}l6,4l-6,4`} />}
      {attempts.map(({ atMs, isGood }) => (
        <Mark key={atMs} x={x(atMs)} y={y} isGood={isGood} />
      ))}
    </g>
  );
}

/** A circle for what was delivered, a triangle for what failed. */
function Mark({ x, y, isGood }: { readonly x: number; readonly y: number; readonly isGood: boolean }) {
  return isGood ? (
    <circle class="attempt good" cx={x} cy={y} r="5" />
  ) : (
    <path class="attempt bad" d={`M${x},${y - 6}l6,10h-12z`} />
  );
}

/**
 * The first and the last instant, and those between for which there is room.
 *
 * @param roomOf what the text at an instant needs, in pixels
 */
function ticks(instants: readonly number[], x: (ms: number) => number, roomOf: (ms: number) => number) {
  const last = instants.at(-1);
  const [first] = instants;
  if (first === undefined || last === undefined) return [];
  const named = [{ ms: first, anchor: 'start' }];
  let endsAt = x(first) + roomOf(first);
  for (const ms of instants.slice(1, -1)) {
    const room = roomOf(ms);
    if (x(ms) - room / 2 >= endsAt && x(ms) + room / 2 <= x(last) - roomOf(last)) {
      named.push({ ms, anchor: 'middle' });
      endsAt = x(ms) + room / 2;
    }
  }
  return last === first || x(last) - roomOf(last) < x(first) + roomOf(first)
    ? named
    : [...named, { ms: last, anchor: 'end' }];
}
