import type { Point } from '../../results/run-result.ts';
import { percentile } from '../../statistics/percentile.ts';
import { type Facts, isAccepted, timeToSendOf } from './measurements.ts';

/** A chart shows nothing more with more points. */
const MAX_POINTS = 300;

/** Seconds per point: one, or more to limit the number of points. */
export function secondWidth(seconds: number): number {
  const nice = [1, 2, 5, 10, 30, 60, 300, 600, 3_600];
  return nice.find((width) => seconds / width <= MAX_POINTS) ?? 7_200;
}

export function pointsOf(facts: Facts, startedAtMs: number, seconds: number): Point[] {
  const width = secondWidth(seconds);
  const count = Math.max(1, Math.ceil(seconds / width));
  const indexAt = (atMs: number) =>
    Math.min(count - 1, Math.max(0, Math.floor((atMs - startedAtMs) / (width * 1_000))));
  const sent = new Array<number>(count).fill(0);
  const delivered = new Array<number>(count).fill(0);
  const failed = new Array<number>(count).fill(0);
  const times = Array.from({ length: count }, (): number[] => []);
  const add = (to: number[], atMs: number) => {
    const at = indexAt(atMs);
    to[at] = (to[at] ?? 0) + 1;
  };
  const events = new Set<string>();
  const ids = new Set<string>();
  const messages = new Array<number>(count).fill(0);
  for (const { messageId, eventId, sentAtMs } of facts.expected) {
    if (!events.has(eventId)) add(sent, sentAtMs);
    events.add(eventId);
    ids.add(messageId);
    add(messages, sentAtMs);
    const acceptedAt = facts.acceptedAtMs.get(messageId);
    if (acceptedAt !== undefined) add(delivered, acceptedAt);
    const summary = facts.recorded.get(messageId);
    const timeToSend = summary && timeToSendOf(summary, facts);
    if (summary?.time_to_send_ms !== undefined && timeToSend !== undefined) {
      const { admitted_at, held_ms = 0, time_to_send_ms } = summary;
      times[indexAt(Date.parse(admitted_at) + held_ms + time_to_send_ms)]?.push(timeToSend);
    }
  }
  for (const { webhook_id, status, received_at, answered_at } of facts.receipts) {
    if (!isAccepted(status) && ids.has(webhook_id ?? '')) add(failed, Date.parse(answered_at ?? received_at));
  }
  let backlog = 0;
  return sent.map((sentCount, index) => {
    backlog += (messages[index] ?? 0) - (delivered[index] ?? 0);
    const inPoint = times[index] ?? [];
    const p = (percent: number) => (inPoint.length === 0 ? null : percentile(inPoint, percent));
    return {
      at_seconds: index * width,
      sent: sentCount,
      delivered: delivered[index] ?? 0,
      failed_attempts: failed[index] ?? 0,
      backlog,
      time_to_send_p50: p(50),
      time_to_send_p99: p(99),
      time_to_send_max: p(100),
    };
  });
}
