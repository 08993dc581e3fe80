import { instant } from '../../../functions/core/text/instant.ts';
import type { Forwarded } from '../listen/listener.ts';
import { type Colors, cellsOf } from './delivery-line.ts';

const COLUMNS = [12, 24, 20, 12, 14] as const;

export const FORWARDED_TITLES = cellsOf(['at', 'event', 'payment', 'state', 'answer', ''], COLUMNS)
  .join(' ')
  .trimEnd();

/** One line for one event that was forwarded. */
export function forwardedLine(
  { message, status, failure, durationMs }: Forwarded,
  nowMs: number,
  colors: Colors,
): string {
  const { event_type, payment_id, attempt } = message;
  const [time = '', ...cells] = cellsOf(
    [
      instant(nowMs).slice(11, 23),
      event_type,
      payment_id,
      failure === undefined ? '✓ delivered' : '↻ failed',
      status === undefined ? `${durationMs} ms` : `${status}, ${durationMs} ms`,
      [
        ...(attempt > 1 ? [`attempt ${attempt}`] : []),
        ...(status === undefined && failure !== undefined ? [failure] : []),
      ].join(', '),
    ],
    COLUMNS,
  );
  cells[2] = colors[failure === undefined ? 'green' : 'yellow'](cells[2] ?? '');
  return [colors.dim(time), ...cells].join(' ').trimEnd();
}
