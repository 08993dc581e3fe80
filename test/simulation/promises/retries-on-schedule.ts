import type { World } from '../world.ts';
import { type Check, type Expected, type Line, nameOf } from './evidence/backlog.ts';

/** A retry is due after the schedule's delay, or after the endpoint's `Retry-After`, up to twice as long. */
export const retriesOnSchedule: Check = (world, lines) =>
  lines.flatMap((backlog) => backlog.messages.flatMap((message) => offSchedule(message, backlog, world)));

function offSchedule(message: Expected, backlog: Line, { policy }: World): string[] {
  const schedule = policy.schedules[backlog.plan.schedule];
  const seen = new Set<number>();
  return message.writes.flatMap(({ atMs, record }) => {
    if (record !== undefined && message.asks.includes(atMs)) {
      // It has its whole schedule ahead.
      seen.clear();
    }
    if (record?.state !== 'retrying' || seen.has(record.attempt_count)) {
      return [];
    }
    const scheduledMs = schedule[seen.size]!;
    seen.add(record.attempt_count);
    const request = message.requests.find(
      ({ workersTimeMs }) => workersTimeMs === Date.parse(record.last_attempt_at ?? ''),
    );
    if (request?.heardAtMs === undefined) {
      return [];
    }
    const heardMs = request.workersTimeMs + request.heardAtMs - request.begunAtMs;
    const delayMs = Date.parse(record.next_attempt_at ?? '') - heardMs;
    const askedMs = 1_000 * Number(request.heard?.response_headers?.['retry-after'] ?? 0);
    const [least, max] = [1 - policy.jitter, 1 + policy.jitter].map((part) => part * scheduledMs) as [
      number,
      number,
    ];
    const { longestRetryAfter } = policy;
    const isEarly = delayMs < Math.max(least, Math.min(askedMs, longestRetryAfter * least)) - 1;
    const isLate = delayMs > Math.min(Math.max(max, askedMs), longestRetryAfter * max) + 1;
    return isEarly || isLate
      ? [
          `${nameOf(message, backlog)} is tried again after ${delayMs} ms, scheduled ${scheduledMs}, asked ${askedMs}`,
        ]
      : [];
  });
}
