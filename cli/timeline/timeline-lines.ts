import { shortNames } from '../../functions/core/catalogue/short-names.ts';
import type {
  MessageTimeline,
  SequenceTimeline,
  TimelineEntry,
} from '../../functions/core/timeline/timeline-view.ts';

/** A line of a timeline. */
export interface TimelineLine {
  readonly at: string;
  /** Absent: it concerns the event, whichever subscriptions get it. */
  readonly subscription_id?: string;
  /** Name and number of the event. */
  readonly event: string;
  readonly text: string;
  readonly color: 'green' | 'yellow' | 'red' | 'dim' | 'reset';
}

/**
 * What happened to messages and to early events, in order of time. What is the same for several messages of
 * an event stands once.
 */
export function timelineLines(
  messages: readonly MessageTimeline[],
  sequence: Pick<SequenceTimeline, 'next' | 'early'> | undefined,
): TimelineLine[] {
  const eventOf = eventTexts(messages);
  const lines = messages.flatMap((message) =>
    message.entries.map((entry) => lineOf(entry, message, eventOf(message))),
  );
  const early = (sequence?.early ?? []).map(
    (event): TimelineLine => ({
      at: event.since,
      event: `${event.event_id} (${event.sequence})`,
      text:
        event.sequence > (sequence?.next ?? 0)
          ? `… arrived early, waits for number ${sequence?.next}`
          : '… arrived early, is about to continue',
      color: 'yellow',
    }),
  );
  const distinct = new Map([...lines, ...early].map((line) => [JSON.stringify(line), line]));
  // Messages come newest first, and what happens at one time shall stand in the order of events.
  return [...distinct.values()].reverse().sort((one, other) => one.at.localeCompare(other.at));
}

type Named = Pick<MessageTimeline, 'event_type' | 'sequence'>;

/** Name and number of the event of each of these messages. */
export function eventTexts(messages: readonly Named[]): (message: Named) => string {
  const short = shortNames(messages.map(({ event_type }) => event_type));
  return ({ event_type, sequence }) =>
    sequence === undefined ? short(event_type) : `${short(event_type)} (${sequence})`;
}

function lineOf(entry: TimelineEntry, message: MessageTimeline, event: string): TimelineLine {
  const { at, until } = entry;
  const { subscription_id } = message;
  const span = until === undefined ? undefined : spanText(Date.parse(until) - Date.parse(at));
  switch (entry.kind) {
    case 'occurred':
      return { at, event, text: '· happened', color: 'dim' };
    case 'arrived':
      return { at, event, text: `… arrived early, waited ${span} for its turn`, color: 'yellow' };
    case 'admitted':
      return { at, event, text: admittedText(message), color: message.gap_before ? 'yellow' : 'dim' };
    case 'held': {
      const text = span === undefined ? '… held since then' : `… held for ${span}`;
      return { at, subscription_id, event, text, color: 'yellow' };
    }
    case 'attempted':
      return { at, subscription_id, event, ...attemptedText(entry) };
    case 'ended':
      return { at, subscription_id, event, ...endedText(message) };
  }
}

function admittedText({ gap_before, sequence = 0 }: MessageTimeline): string {
  return gap_before ? `→ taken in; number ${sequence - 1} had not come in time` : '→ taken in';
}

function attemptedText(entry: TimelineEntry): Pick<TimelineLine, 'text' | 'color'> {
  const { attempt, status_code, failure_class, failure_reason, duration_ms } = entry;
  if (failure_class === undefined && status_code === undefined) {
    return { text: `· attempt ${attempt}: what came of it is not shown`, color: 'dim' };
  }
  const answer = status_code === undefined ? failure_class : `answered ${status_code}`;
  const took = duration_ms === undefined ? '' : ` in ${Math.round(duration_ms)} ms`;
  const marks = [
    ...(entry.probe ? ['a probe'] : []),
    ...(entry.late ? ['late'] : []),
    ...(entry.earlier_may_be_missing ? ['an earlier one may be missing'] : []),
  ];
  const isWell = failure_class === undefined;
  return {
    text: [
      `${isWell ? '✓' : '✗'} attempt ${attempt}: ${answer}${took}`,
      ...(marks.length === 0 ? [] : [` (${marks.join(', ')})`]),
      // Of a status, the reason says the same again.
      ...(failure_reason === undefined || failure_class === 'http_status' ? [] : [`, ${failure_reason}`]),
    ].join(''),
    color: isWell ? 'green' : 'red',
  };
}

/** What a message has become that has ended. */
export function endedText({ state, state_reason }: MessageTimeline): Pick<TimelineLine, 'text' | 'color'> {
  const why = state_reason === undefined ? '' : `: ${state_reason}`;
  switch (state) {
    case 'succeeded':
      return { text: '✓ delivered', color: 'green' };
    case 'exhausted':
      return { text: `✗ given up${why}`, color: 'red' };
    default:
      return { text: `✗ ${state}${why}`, color: 'red' };
  }
}

/** A span as a person reads it: 87 ms, 4.2 s, 3 min 20 s, 2 h 5 min, 1 d 3 h. */
export function spanText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [minutes, hours, days] = [60, 3_600, 86_400].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (ms < 1_000) {
    return `${Math.max(0, Math.round(ms))} ms`;
  }
  if (minutes === 0) {
    return `${Math.round(ms / 100) / 10} s`;
  }
  return days > 0
    ? `${days} d ${hours % 24} h`
    : hours > 0
      ? `${hours} h ${minutes % 60} min`
      : `${minutes} min ${seconds % 60} s`;
}
