import type { MessageTimeline, SequenceTimeline } from '../../functions/core/timeline/timeline-view.ts';
import type { Colors } from '../partner/text/delivery-line.ts';
import { cutTo, printable, textTable } from '../terminal/terminal.ts';
import { messageRows, sequenceLines } from './next-lines.ts';
import { type TimelineLine, timelineLines } from './timeline-lines.ts';

/** What is drawn of a payment. */
export interface DrawnPayment {
  readonly payment_id: string;
  readonly sequence?: SequenceTimeline | undefined;
  /** Those of which something is known. */
  readonly subscriptions: readonly DrawnSubscription[];
  /** Newest first. */
  readonly messages: readonly MessageTimeline[];
}

interface DrawnSubscription {
  readonly subscription_id: string;
  readonly description?: string | undefined;
  readonly state: string;
  readonly circuit: { readonly state: string };
}

const WIDEST_NAME = 24;
const WIDEST_TEXT = 160;

/** A payment in order of time, and what is next. */
export function timelineText(
  { payment_id, sequence, subscriptions, messages }: DrawnPayment,
  nowMs: number,
  colors: Colors,
): string {
  const nameOf = namesOf(subscriptions);
  const troubled = subscriptions.filter(
    ({ state, circuit }) => state !== 'active' || circuit.state !== 'closed',
  );
  const leftOut = messages.filter(({ attempts_left_out = 0 }) => attempts_left_out > 0);
  return [
    colors.bold(`Payment ${printable(payment_id)}, all times in UTC`),
    ...drawn(timelineLines(messages, sequence), nameOf, colors),
    ...leftOut.map(
      ({ message_id, attempts_left_out }) =>
        `  … ${attempts_left_out} more attempts of ${printable(message_id)} are not shown`,
    ),
    '',
    colors.bold('What has become of it, and what is next'),
    ...(messages.length === 0
      ? ['  No message of it is on record yet.']
      : textTable(messageRows(messages, nameOf, nowMs))),
    ...(sequence === undefined
      ? []
      : sequenceLines(sequence, messages, nameOf, nowMs).map((line) => `  ${printable(line)}`)),
    ...troubled.map(
      ({ subscription_id, state, circuit }) =>
        `  ${printable(nameOf(subscription_id))} is ${state}, its circuit ${circuit.state.replace('_', '-')}.`,
    ),
  ].join('\n');
}

/** Descriptions instead of ids, where each stands for one subscription. */
function namesOf(subscriptions: readonly DrawnSubscription[]): (subscriptionId: string) => string {
  const shown = subscriptions.map(({ subscription_id, description = '' }) => ({
    subscription_id,
    name: cutTo(WIDEST_NAME, description.trim()),
  }));
  const names = new Map(
    shown
      .filter(({ name }) => name !== '' && shown.filter((other) => other.name === name).length === 1)
      .map(({ subscription_id, name }) => [subscription_id, name]),
  );
  return (subscriptionId) => names.get(subscriptionId) ?? subscriptionId;
}

function drawn(
  lines: readonly TimelineLine[],
  nameOf: (subscriptionId: string) => string,
  colors: Colors,
): string[] {
  const cells = lines.map(({ subscription_id, event }) => [
    subscription_id === undefined ? '' : printable(nameOf(subscription_id)),
    printable(event),
  ]);
  const [names = 0, events = 0] = [0, 1].map((column) =>
    Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  return lines.flatMap(({ at, text, color }, index) => {
    const day = at.slice(0, 10);
    const [name = '', event = ''] = cells[index] ?? [];
    const line = [
      colors.dim(at.slice(11, 23)),
      name.padEnd(names),
      event.padEnd(events),
      colors[color](cutTo(WIDEST_TEXT, text)),
    ];
    return [...(lines[index - 1]?.at.startsWith(day) ? [] : [day]), `  ${line.join('  ')}`];
  });
}
