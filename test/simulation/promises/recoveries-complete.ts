import type { MessageRecord } from '../../../functions/core/message/history.ts';
import type { Recovery } from '../../../functions/core/message/recovery.ts';
import type { World } from '../world.ts';
import { type Check, type Expected, type Line, nameOf } from './evidence/backlog.ts';

/** How late the signals of a step may be that reads the index and then stalls. */
const STALE_MS = 60_000;

/**
 * A recovery requests exactly the messages of its span that had ended, in the states and of the payments that
 * it names and by its filter, those of a payment in order, and it ends.
 */
export const recoveriesComplete: Check = (world, lines) => [
  ...runsOf(world).flatMap((run) => [...faultsOfRun(run, world), ...forgotten(run, world, lines)]),
  ...unwanted(world, lines),
  ...disordered(world, lines),
];

interface Run {
  readonly first: Recovery;
  readonly last: Recovery;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

function runsOf({ recoveries, endedAtMs }: World): Run[] {
  return [...Map.groupBy(recoveries.writes, ({ recovery }) => recovery.recovery_id).values()].map(
    (writes) => {
      const [first, last] = [writes[0]!, writes.at(-1)!];
      const isOver = last.recovery.state !== 'running';
      return {
        first: first.recovery,
        last: last.recovery,
        startedAtMs: first.atMs,
        endedAtMs: isOver ? last.atMs : endedAtMs,
      };
    },
  );
}

function faultsOfRun({ last: { subscription_id, state, recovery_id }, startedAtMs }: Run, world: World) {
  const isStopped = world.recoveries.stopped.has(recovery_id);
  const broken: string[] = [];
  if (state === 'running') {
    broken.push(`${recovery_id} of ${subscription_id} never ended`);
  }
  const isDeleted = world.subscriptions.some(
    (one) => one.subscription_id === subscription_id && one.state === 'deleted',
  );
  if (state === 'stopped' && !isDeleted && !isStopped) {
    broken.push(`${recovery_id} of ${subscription_id} stopped, though nobody stopped it`);
  }
  if (state === 'done' && isStopped) {
    broken.push(`${recovery_id} of ${subscription_id} continued after it was stopped`);
  }
  const others = runsOf(world).filter(
    (run) =>
      run.last.subscription_id === subscription_id &&
      run.last.recovery_id !== recovery_id &&
      run.startedAtMs < startedAtMs &&
      run.endedAtMs > startedAtMs,
  );
  return others.length > 0 ? [...broken, `two recoveries of ${subscription_id} ran together`] : broken;
}

/** What the index had to show as recoverable when it began, and nothing else has touched since. */
function forgotten(
  { last, startedAtMs, endedAtMs }: Run,
  { plan, asked }: World,
  lines: readonly Line[],
): string[] {
  if (last.state !== 'done') {
    return [];
  }
  const seenAtMs = startedAtMs - plan.lagMs;
  return ofSubscription(lines, last)
    .filter(
      ({ message }) =>
        isWithin(message, last) &&
        isRecoverable(recordAt(message, seenAtMs), last) &&
        !message.writes.some(({ atMs }) => atMs > seenAtMs && atMs <= endedAtMs) &&
        !asked.some(
          ({ messageId, atMs }) =>
            messageId === message.messageId && atMs >= startedAtMs && atMs <= endedAtMs,
        ),
    )
    .map(({ message, backlog }) => `${nameOf(message, backlog)} was forgotten by ${last.recovery_id}`);
}

/** What a recovery requested by mistake. Long ago counts too: a step may have read the index before. */
function unwanted({ asked, recoveries, plan }: World, lines: readonly Line[]): string[] {
  return asked
    .filter(({ by }) => by.startsWith('wake'))
    .flatMap(({ messageId, atMs }) =>
      lines.flatMap((backlog) => {
        const message = backlog.messages.find((one) => one.messageId === messageId);
        if (message === undefined) {
          return [];
        }
        const fromMs = atMs - plan.lagMs - STALE_MS;
        const known = [
          recordAt(message, fromMs),
          ...message.writes
            .filter((write) => write.atMs > fromMs && write.atMs <= atMs)
            .map(({ record }) => record),
        ];
        const isAsked = recoveries.writes.some(
          ({ recovery }) =>
            recovery.subscription_id === backlog.subscription.subscription_id &&
            isWithin(message, recovery) &&
            known.some((record) => isRecoverable(record, recovery)),
        );
        return isAsked ? [] : [`${nameOf(message, backlog)} was recovered, and is ${known.at(-1)?.state}`];
      }),
    );
}

/**
 * Each step requests the messages of a payment in order. A worker takes as many steps as it has timers: a
 * timer may come twice, to the same worker.
 */
function disordered({ asked, invocations }: World, lines: readonly Line[]): string[] {
  const timers = new Map(invocations.map(({ name, records }) => [name, records.length]));
  const places = new Map(
    lines.flatMap(({ key, messages }) =>
      messages.map(({ messageId }, position) => [messageId, { key, place: position }] as const),
    ),
  );
  const steps = Map.groupBy(
    asked.filter(({ by }) => by.startsWith('wake')),
    ({ by, messageId }) => `${by} ${places.get(messageId)?.key}`,
  );
  return [...steps].flatMap(([step, signalKinds]) => {
    const max = timers.get(signalKinds[0]?.by ?? '') ?? 1;
    const order = signalKinds.map(({ messageId }) => places.get(messageId)?.place ?? 0);
    return order.filter((position, index) => position < (order[index - 1] ?? 0)).length >= max
      ? [`${step}: recovered in the order ${order.join(', ')}`]
      : [];
  });
}

function ofSubscription(lines: readonly Line[], { subscription_id }: Recovery) {
  return lines
    .filter(({ subscription }) => subscription.subscription_id === subscription_id)
    .flatMap((backlog) => backlog.messages.map((message) => ({ backlog, message })));
}

function isWithin({ admittedAtMs }: Expected, { since, until }: Recovery): boolean {
  return admittedAtMs >= Date.parse(since) && admittedAtMs < Date.parse(until);
}

function recordAt({ writes }: Expected, ms: number): MessageRecord | undefined {
  return writes.findLast(({ atMs, record }) => record !== undefined && atMs <= ms)?.record;
}

/**
 * As documented, independent of the code: deleted and expired messages are not recovered, and what was delivered
 * only if asked for and as of when it began. The only filter of worlds looks at the end of an event's id.
 */
function isRecoverable(record: MessageRecord | undefined, recovery: Recovery): boolean {
  if (record === undefined) {
    return false;
  }
  const { state, state_reason = '', ended_at = '', payment_id, event_id } = record;
  const { states = ['exhausted', 'cancelled'], filter, payment_ids, started_at } = recovery;
  return (
    (state === 'exhausted' ||
      (state === 'cancelled' && ['skipped', 'disabled'].includes(state_reason)) ||
      (state === 'succeeded' && ended_at < started_at)) &&
    states.includes(state) &&
    (filter === undefined || !/[25]$/.test(event_id)) &&
    (payment_ids === undefined || payment_ids.includes(payment_id))
  );
}
