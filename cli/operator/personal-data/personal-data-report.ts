import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { firstOf, printable, textTable } from '../../terminal/terminal.ts';
import type { HeldOnRecord, SequenceOnRecord } from './held-on-record.ts';
import { type Erasure, SETTLED_MS } from './personal-data-erasure.ts';
import type { MessageOnRecord, PaymentOnRecord } from './personal-data-on-record.ts';

const MAX_LINES = 50;

/** About how many dead letters there are, by queue: each may hold a body of any payment. */
export type DeadLetterCounts = Readonly<Record<string, number>>;

export interface Erased {
  readonly messages: readonly MessageOnRecord[];
  /** Somebody changed them meanwhile, so they were not erased. */
  readonly changed: readonly MessageOnRecord[];
  readonly resourceCount: number;
  /** Whether what was left of events that had been early is gone. */
  readonly isLeftErased: boolean;
}

export interface PaymentName {
  readonly stage: ChosenDeployment;
  readonly service: string;
  readonly payment: string;
}

/** Everything, as it is stored. */
export function exportDocument(
  { stage, service, payment }: PaymentName,
  { messages, resources, held: { sequence, waiting, left } }: PaymentOnRecord,
  deadLetters: DeadLetterCounts,
  exportedAt: string,
): object {
  return {
    exported_at: exportedAt,
    stage,
    service_id: service,
    payment_id: payment,
    messages: messages.map(({ record, laterAttempts }) => ({ ...record, later_attempts: laterAttempts })),
    /** Of events that were too large to be stored with their messages. */
    resources: resources.map(({ item: _, ...resource }) => resource),
    /** How far the payment is, if its events are numbered. */
    sequence,
    /** Events that came before their turn. */
    held_events: [...waiting, ...left].map(({ item }) => item),
    /** Not examined: how many there are, of all payments. */
    dead_letter_counts: deadLetters,
  };
}

/** For people. `erased` is absent when nothing was to be changed, or nothing could be. */
export function erasureText(
  { stage, service, payment }: PaymentName,
  erasure: Erasure,
  erased: Erased | undefined,
  deadLetters: DeadLetterCounts,
  isBlocked: boolean,
): string {
  const { messages, resources, held, waiting, fresh, done } = erasure;
  const lines = [`Payment ${printable(payment)} of ${service}, stage ${stage}`, ''];
  if (done.length > 0) {
    lines.push(`${counted(done.length, 'message')} had been erased before.`);
  }
  if (erased === undefined) {
    lines.push(
      `${counted(messages.length, 'message')} and ${counted(resources.length, 'large resource')} ${isBlocked ? 'could' : 'would'} be erased${isBlocked ? ' but for those below' : ''}.`,
      ...table(messages),
    );
  } else {
    lines.push(
      `${counted(erased.messages.length, 'message')} and ${counted(erased.resourceCount, 'large resource')} erased.`,
      ...table(erased.messages),
    );
  }
  if (erased !== undefined && erased.changed.length > 0) {
    lines.push(
      `${counted(erased.changed.length, 'message')} changed meanwhile and were not erased. Run the command again.`,
      ...table(erased.changed),
    );
  }
  lines.push(...heldLines(held, erased));
  if (waiting.length > 0) {
    lines.push(
      `${counted(waiting.length, 'message')} still to be sent:`,
      ...table(waiting),
      '  Wait until they have ended; or ask the partner to delete the subscription, which gives up everything that waits there;',
      `  or give up what waits for an operator: npm run ops -- stuck skip <ordering-key> ${stage.option}. Then run the command again.`,
      '  --ended-only leaves them and erases the rest.',
    );
  }
  if (fresh.length > 0) {
    lines.push(
      `${counted(fresh.length, 'message')} ended less than ${SETTLED_MS / 60_000} minutes ago: run the command again later.`,
      ...table(fresh),
    );
  }
  const some = Object.entries(deadLetters).filter(([, count]) => count > 0);
  lines.push(
    some.length === 0
      ? 'There are no dead letters that could hold a body.'
      : `Dead letters may hold bodies of it: ${some.map(([name, count]) => `${count} of ${name} (npm run ops -- redrive ${name} ${stage.option})`).join(', ')}.`,
  );
  if (erased === undefined) {
    lines.push(isBlocked ? 'Nothing was changed.' : 'Nothing was changed. --yes does it.');
  }
  return lines.join('\n');
}

export function erasureJson(
  { stage, service, payment }: PaymentName,
  { messages, resources, held, waiting, fresh, done }: Erasure,
  erased: Erased | undefined,
  deadLetters: DeadLetterCounts,
): object {
  return {
    stage,
    service_id: service,
    payment_id: payment,
    ...(erased === undefined
      ? { would_erase: messages.map(shown), would_erase_resources: resources.map(({ event_id }) => event_id) }
      : {
          erased: erased.messages.map(shown),
          erased_resource_count: erased.resourceCount,
          changed_meanwhile: erased.changed.map(shown),
        }),
    [erased?.isLeftErased ? 'erased_held_events' : 'left_held_events']: held.left.map(shownHeld),
    waiting_held_events: held.waiting.map(shownHeld),
    waiting: waiting.map(shown),
    just_ended: fresh.map(shown),
    erased_before: done.map(shown),
    dead_letter_counts: deadLetters,
  };
}

function shown({ known }: MessageOnRecord) {
  const { message_id, subscription_id, event_type, state, state_reason, ended_at } = known;
  return { message_id, subscription_id, event_type, state, state_reason, ended_at };
}

function shownHeld({ known: { event_id, sequence, public_type } }: HeldOnRecord) {
  return { event_id, sequence, event_type: public_type };
}

function heldLines({ waiting, left }: SequenceOnRecord, erased: Erased | undefined): string[] {
  const lines: string[] = [];
  if (left.length > 0) {
    const what = `${counted(left.length, 'event')} that had waited for ${left.length === 1 ? 'its' : 'their'} turn`;
    lines.push(
      erased === undefined
        ? `${what} ${left.length === 1 ? 'is' : 'are'} still stored, and would be erased.`
        : erased.isLeftErased
          ? `${what} erased.`
          : `${what} not erased: the payment has changed meanwhile. Run the command again.`,
    );
  }
  if (waiting.length > 0) {
    lines.push(
      `${counted(waiting.length, 'event')} still waiting for those before:`,
      ...firstOf(
        textTable(waiting.map(({ known }) => [known.event_id, String(known.sequence), known.public_type])),
        MAX_LINES,
      ),
      '  They continue once these have come, or are not waited for any longer (sequenceGapMs in payhooks.config.ts).',
      '  Then run the command again. --ended-only leaves them and erases the rest.',
    );
  }
  return lines;
}

function table(messages: readonly MessageOnRecord[]): string[] {
  const rows = textTable(
    messages.map(({ known }) => [
      known.message_id,
      known.subscription_id,
      known.event_type,
      known.state_reason === undefined ? known.state : `${known.state} (${known.state_reason})`,
    ]),
  );
  return firstOf(rows, MAX_LINES);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
