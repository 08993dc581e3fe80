import type pc from 'picocolors';
import { shortNames } from '../../../functions/core/catalogue/short-names.ts';
import type { MessageState } from '../../../functions/core/message/message.ts';
import { printable } from '../../terminal/terminal.ts';
import type { LeftOut, News } from '../delivery-feed.ts';

export type Colors = ReturnType<typeof pc.createColors>;

const WORDS: Readonly<Record<MessageState, { word: string; color: 'green' | 'yellow' | 'red' | 'dim' }>> = {
  succeeded: { word: '✓ delivered', color: 'green' },
  retrying: { word: '↻ will retry', color: 'yellow' },
  parked: { word: '… waits', color: 'dim' },
  exhausted: { word: '✗ given up', color: 'red' },
  cancelled: { word: '✗ cancelled', color: 'red' },
};

const TITLES = ['attempt at', 'subscription', 'event', 'payment', 'state', 'answer', 'time to send'];
const EVENT = { narrowest: 11, widest: 24 };

/**
 * A feed of deliveries as lines, below their titles.
 *
 * @param names of all event types that there are
 */
export function feedLines(names: readonly string[], colors: Colors) {
  const nameOf = shortNames(names);
  const longest = Math.max(EVENT.narrowest, ...names.map((name) => nameOf(name).length));
  const widths = [12, 14, Math.min(EVENT.widest, longest), 20, 14, 12];
  return {
    titles: cellsOf(TITLES, widths).join(' ').trimEnd(),
    line: (news: News) => deliveryLine(news, { colors, nameOf, widths }),
  };
}

interface Look {
  readonly colors: Colors;
  readonly nameOf: (eventType: string) => string;
  readonly widths: readonly number[];
}

/**
 * One line for one delivery. Time to send is what we cause. What the message waited for its endpoint, behind
 * an earlier message or held, stands beside it.
 */
function deliveryLine(
  { subscription, message, orderingWaitMs }: News,
  { colors, nameOf, widths }: Look,
): string {
  const { word, color } = WORDS[message.state];
  const { time_to_send_ms: recordedMs, held_ms = 0 } = message;
  const answer = message.last_status_code ?? message.last_failure_class ?? '-';
  const timeToSend = recordedMs === undefined ? '' : `${Math.round(recordedMs - orderingWaitMs)} ms`;
  const waitedMs = Math.round(orderingWaitMs + held_ms);
  const waited = waitedMs === 0 ? '' : `waited ${waitedMs} ms`;
  const attempt = message.attempt_count > 1 ? `attempt ${message.attempt_count}` : '';
  const [time = '', ...cells] = cellsOf(
    [
      (message.last_attempt_at ?? message.admitted_at).slice(11, 23),
      subscription,
      nameOf(message.event_type),
      message.payment_id,
      word,
      String(answer),
      [timeToSend, waited, attempt].filter(Boolean).join(', '),
    ],
    widths,
  );
  cells[3] = colors[color](cells[3] ?? '');
  return [colors.dim(time), ...cells].join(' ').trimEnd();
}

/** Which messages are not followed, and how to see them. */
export function leftOutLine(
  { subscription, subscription_id, since, until }: LeftOut,
  colors: Colors,
): string {
  const which =
    since === undefined
      ? `Older messages are not followed: ${subscription}, accepted before ${until}.`
      : `Too many at once, left out: ${subscription}, accepted from ${since} until ${until}.`;
  const options = `${since === undefined ? '' : `--since ${since} `}--until ${until}`;
  return colors.yellow(
    `${printable(which)} See them: npm run webhooks -- messages ${subscription_id} ${options}`,
  );
}

/** @param widths of the columns; of the others any */
export function cellsOf(cells: readonly string[], widths: readonly number[]): string[] {
  return cells.map((cell, index) =>
    printable(cell)
      .slice(0, widths[index])
      .padEnd(widths[index] ?? 0),
  );
}
