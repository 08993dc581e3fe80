import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { World } from '../world.ts';
import {
  type Check,
  type Expected,
  isLateAt,
  isOverwritten,
  type Line,
  nameOf,
  recordedOf,
} from './evidence/backlog.ts';

/**
 * A message that had ended is attempted again only when it is requested again, once per request. It overtakes
 * nothing that waits, stays in order among other late messages, and its attempts are marked as late.
 */
export const lateMessages: Check = (world, lines) =>
  lines.flatMap((backlog) =>
    backlog.messages
      .filter((message) => !isOverwritten(message))
      .flatMap((message) =>
        [...unasked(message, world), ...unmarked(message), ...overtaking(message, backlog)].map(
          (what) => `${nameOf(message, backlog)} ${what}`,
        ),
      ),
  );

/**
 * A signal that is received again, as its worker died or could not write, may find its message ended again.
 */
function unasked({ messageId, asks }: Expected, { asked, invocations }: World): string[] {
  if (asks.length === 0) {
    return [];
  }
  const signalKinds = asked.filter((signalKind) => signalKind.messageId === messageId).length;
  const again = invocations
    .flatMap(({ records }) => records)
    .filter(({ body, receiveCount }) => receiveCount > 1 && isResendOf(messageId, body)).length;
  return asks.length > signalKinds + again
    ? [`was sent again ${asks.length} times, but was requested ${signalKinds} times`]
    : [];
}

function isResendOf(messageId: string, body: string): boolean {
  return (
    body.includes('"signal_kind":"resend"') && body.includes(messageId) && !body.includes('"after_attempt"')
  );
}

function unmarked(message: Expected): string[] {
  const { writes, requests, asks } = message;
  const broken: string[] = [];
  for (const { atMs, record } of writes) {
    if (record !== undefined && (record.late ?? false) !== isLateAt(message, atMs)) {
      broken.push(`is on record as ${record.late ? '' : 'not '}late, requested again ${asks.length} times`);
    }
  }
  for (const request of requests) {
    const attempt = recordedOf(request, message)[0];
    if (attempt !== undefined && (attempt.late ?? false) !== isLateAt(message, request.startedAtMs)) {
      broken.push(`has attempt ${attempt.attempt} on record as ${attempt.late ? '' : 'not '}late`);
    }
  }
  return broken.slice(0, 1);
}

/** A late attempt comes after all waiting messages that are not late, and after earlier late ones. */
function overtaking(message: Expected, { messages }: Line): string[] {
  const index = messages.indexOf(message);
  return message.requests
    .filter(({ startedAtMs }) => isLateAt(message, startedAtMs))
    .flatMap(({ startedAtMs }) =>
      messages
        .filter((other, position) => other !== message && isBefore(other, position, index, startedAtMs))
        .map((other) => `was attempted late and overtook ${other.eventId}`),
    );
}

function isBefore(other: Expected, position: number, index: number, atMs: number): boolean {
  const record = other.writes.findLast((write) => write.record !== undefined && write.atMs <= atMs)?.record;
  return record !== undefined && !isFinal(record) && (!record.late || position < index);
}
