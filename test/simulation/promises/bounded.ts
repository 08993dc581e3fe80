import type { World } from '../world.ts';
import { type Check, type Line, nameOf } from './evidence/backlog.ts';

/**
 * While workers keep up, no queue holds more. While they do not: a record per message and per ordering key.
 */
const MAX_WAITING = 1_000;

/** No loops: queues stay short, and workers are called only as often as there is work. */
export const bounded: Check = (world, lines) => [
  ...Object.entries({ ...world.queues, timers: world.timers })
    .filter(([, { maxWaiting }]) => maxWaiting > Math.max(MAX_WAITING, lines.length + messagesOf(lines)))
    .map(([name, { maxWaiting }]) => `${maxWaiting} records waited in ${name}`),
  ...tooBusy(world, lines),
  ...rewritten(world, lines),
];

/** Four writes are allowed per request, and one per signal: those to a frozen worker pile up. */
function rewritten({ invocations }: World, lines: readonly Line[]): string[] {
  const received = Map.groupBy(
    invocations.flatMap(({ records }) => records),
    ({ group }) => group,
  );
  return lines.flatMap((backlog) =>
    backlog.messages
      .filter(
        ({ writes, requests, asks }) =>
          writes.length > 4 * (requests.length + asks.length + 2) + (received.get(backlog.key)?.length ?? 0),
      )
      .map((message) => `${nameOf(message, backlog)} was written ${message.writes.length} times`),
  );
}

/**
 * Calls allowed per attempt, circuit change, repeated receive, and two minutes of an ordering key in a
 * backlog.
 */
function tooBusy(
  { invocations, receivers, tables, plan, asked, startedAtMs, endedAtMs, policy }: World,
  lines: readonly Line[],
) {
  const span = (endedAtMs - startedAtMs) / policy.graceMs;
  const deliveries = invocations.filter(({ name }) => name.startsWith('deliver')).length;
  const max =
    100 +
    20 * (receivers.log.length + messagesOf(lines) + plan.strays.length + asked.length) +
    2 * tables.subscriptions.writes.length +
    span * lines.length;
  return deliveries > max ? [`deliver was called ${deliveries} times, of at most ${Math.round(max)}`] : [];
}

function messagesOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { messages: { length } }) => sum + length, 0);
}
