import type { Invocation } from '../invocation.ts';
import { type Check, nameOf } from './line.ts';

/** A worker that has sent something tries for so long to write it. */
const WRITING_TIME_MS = 54_000;

/**
 * After a success a message is attempted again only when the worker that heard it could not record it, and only because of a fault from
 * outside; likewise no worker fails or runs out of time without such a fault.
 */
export const repeatsExplained: Check = (world, lines) => {
  const broken: string[] = [];
  for (const line of lines) {
    for (const message of line.messages) {
      for (const [index, again] of message.requests.entries()) {
        for (const heard of message.requests.slice(0, index).filter(({ heardSuccess }) => heardSuccess)) {
          if (heard.invocation.ending === 'ended') {
            broken.push(
              `${nameOf(message, line)} was attempted again, though ${heard.invocation.name} ended well`,
            );
          }
        }
        const knownAtMs = world.history.writes.find(
          ({ messageId, record }) => messageId === message.messageId && record?.state === 'succeeded',
        )?.atMs;
        if (knownAtMs !== undefined && knownAtMs < again.invocation.startedAtMs) {
          broken.push(`${nameOf(message, line)} was attempted again, though the history knew of its success`);
        }
      }
    }
  }
  for (const invocation of world.mappings.flatMap(({ invocations }) => invocations)) {
    const hasSent = world.receivers.log.some((received) => received.invocation === invocation);
    const tookMs = (invocation.endedAtMs ?? 0) - invocation.startedAtMs;
    if (invocation.ending === 'failed' && hasSent && tookMs < WRITING_TIME_MS) {
      broken.push(`${invocation.name} gave up recording what it had sent after ${tookMs} ms`);
    }
    if (!isExcused(invocation)) {
      broken.push(
        `${invocation.name} ${invocation.ending ?? 'never ended'} without a fault: ${invocation.error ?? ''}`,
      );
    }
  }
  return broken;
};

function isExcused({ ending, met }: Invocation): boolean {
  switch (ending) {
    case 'ended':
      return true;
    case 'failed':
      return met.has('reject') || met.has('partial') || met.has('outage');
    case 'crashed':
      return met.has('crash');
    case 'timed_out':
      return met.has('stall');
    default:
      return false;
  }
}
