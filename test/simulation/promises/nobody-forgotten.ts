import type { World } from '../world.ts';
import { isAlwaysClosedBetween, writesOf } from './circuits/circuits-of.ts';
import { type Check, type Expected, hasLetPass, type Line, nameOf } from './evidence/backlog.ts';
import { saturatedMs } from './evidence/saturation.ts';
import { allowanceMs, foundAfterMs } from './evidence/touches.ts';

/** The way of a timer and of a signal. */
const WAY_MS = 5_000;
/**
 * The longest time without a record: if the worker dies, the next one has it after the visibility timeout.
 */
const ADMITTED_MS = 30_000;

/**
 * Whatever waits is attempted in time: a retry within the time that sweep needs to find a lost signal, a new
 * message within half a minute, a backlog behind a closed circuit within the time that sweep needs to find a
 * lost timer. Each failure adds the delay it can cause, once.
 */
export const nobodyForgotten: Check = (world, lines) =>
  lines.flatMap((backlog) => [
    ...backlog.messages.flatMap((message) => untaken(message, backlog, world)),
    ...backlog.messages.flatMap((message) => untried(message, backlog, world)),
    ...backlog.messages.flatMap((message) => unsignalled(message, backlog, world)),
    ...backlog.messages.flatMap((message) => stranded(message, backlog, world)),
  ]);

/** Until its first attempt or record. */
function untaken(message: Expected, backlog: Line, world: World): string[] {
  const firstMs = Math.min(
    message.writes[0]?.atMs ?? world.endedAtMs,
    message.requests[0]?.begunAtMs ?? world.endedAtMs,
  );
  // While an attempt of its payment is under way, its message group is locked.
  const freeAtMs = Math.max(
    ...backlog.messages.flatMap(({ requests }) =>
      requests
        .filter(({ begunAtMs }) => begunAtMs < firstMs)
        .map(({ heardAtMs, begunAtMs }) => heardAtMs ?? begunAtMs),
    ),
    message.admittedAtMs,
  );
  return tooLate(message, backlog, world, {
    fromMs: Math.min(freeAtMs, firstMs),
    afterMs: message.admittedAtMs,
    atMs: firstMs,
    mayTakeMs: ADMITTED_MS,
    what: 'waited in a queue',
  });
}

/** A due retry is attempted, or joins the backlog, or ends. */
function untried(message: Expected, backlog: Line, world: World): string[] {
  return message.writes.flatMap(({ atMs, record }) => {
    if (record?.state !== 'retrying') {
      return [];
    }
    const dueAtMs =
      Date.parse(record.next_attempt_at ?? '') + world.plan.clockBehindMs + world.plan.clocksDifferMs;
    const nextMs = nextSign(message, atMs, world);
    // It may have joined the backlog meanwhile: then its time comes when the circuit has closed.
    const closedMs = closedSince(backlog.subscription.subscription_id, nextMs, world);
    return closedMs === undefined
      ? []
      : tooLate(message, backlog, world, {
          fromMs: Math.max(atMs, dueAtMs, closedMs),
          afterMs: atMs,
          atMs: nextMs,
          mayTakeMs: (closedMs > atMs ? world.policy.circuit.tailMs : 0) + foundAfterMs(world) + WAY_MS,
          what: 'was due',
        });
  });
}

/** Since when a circuit has been closed; undefined while it is not. */
function closedSince(subscriptionId: string, ms: number, world: World): number | undefined {
  const writes = writesOf(subscriptionId, world).filter(({ atMs }) => atMs <= ms);
  if ((writes.at(-1)?.after.circuit.state ?? 'closed') !== 'closed') {
    return undefined;
  }
  return writes.findLast(({ before }) => before.circuit.state !== 'closed')?.atMs ?? 0;
}

/** From when on a circuit is closed, or has drained its backlog. */
function unsignalled(message: Expected, backlog: Line, world: World): string[] {
  const { subscription_id } = backlog.subscription;
  const closings = writesOf(subscription_id, world).filter(
    ({ before, after }) =>
      after.state === 'active' && after.circuit.state === 'closed' && before.circuit.state !== 'closed',
  );
  return message.writes.flatMap(({ atMs, record }) => {
    const isInBacklog = record?.state === 'parked' && record.state_reason === 'circuit_open';
    const nextMs = nextSign(message, atMs, world);
    const closedMs = closings.find((write) => write.atMs > atMs && write.atMs < nextMs)?.atMs;
    const isReopened = writesOf(subscription_id, world).some(
      (write) =>
        closedMs !== undefined &&
        write.atMs > closedMs &&
        write.atMs <= nextMs &&
        write.after.circuit.state !== 'closed',
    );
    if (!isInBacklog || closedMs === undefined || isReopened) {
      return [];
    }
    return tooLate(message, backlog, world, {
      fromMs: closedMs,
      afterMs: atMs,
      atMs: nextMs,
      mayTakeMs: world.policy.circuit.tailMs + foundAfterMs(world) + WAY_MS,
      what: 'was in the backlog of a closed circuit',
    });
  });
}

/**
 * A payment that joins a backlog after its circuit has closed: its worker had read the circuit before. The
 * endpoint takes it, so it does not wait for a look that becomes ever rarer.
 */
function stranded(message: Expected, backlog: Line, world: World): string[] {
  const { subscription } = backlog;
  const { circuit } = world.policy;
  return message.writes.flatMap(({ atMs, record }) => {
    const nextMs = nextSign(message, atMs, world);
    const joins =
      record?.state === 'parked' &&
      (record.state_reason === 'circuit_open' || record.state_reason === 'catching_up');
    return joins && isAlwaysClosedBetween(subscription, atMs, nextMs, world)
      ? tooLate(message, backlog, world, {
          fromMs: atMs,
          survivedMs: atMs,
          atMs: nextMs,
          mayTakeMs: circuit.crowdedQuietMs + circuit.timerMs + 2 * world.plan.lagMs + WAY_MS,
          what: 'joined the backlog of a closed circuit and waited',
        })
      : [];
  });
}

function nextSign(message: Expected, afterMs: number, { endedAtMs }: World): number {
  return Math.min(
    message.writes.find(({ atMs, record }) => record !== undefined && atMs > afterMs)?.atMs ?? endedAtMs,
    message.requests.find(({ begunAtMs }) => begunAtMs > afterMs)?.begunAtMs ?? endedAtMs,
  );
}

interface Waited {
  readonly fromMs: number;
  /** Failures count from then on. @default fromMs */
  readonly afterMs?: number;
  /** A failure that a worker had survived by then does not count. */
  readonly survivedMs?: number;
  readonly atMs: number;
  readonly mayTakeMs: number;
  readonly what: string;
}

function tooLate(
  message: Expected,
  backlog: Line,
  world: World,
  { fromMs, afterMs = fromMs, survivedMs, atMs, mayTakeMs, what }: Waited,
): string[] {
  const waitedMs = atMs - fromMs;
  if (
    waitedMs <= mayTakeMs ||
    isHalted(backlog, fromMs, atMs, world) ||
    hasLetPass(message, backlog, afterMs, atMs)
  ) {
    return [];
  }
  const names = [backlog.key, backlog.subscription.subscription_id, ...backlog.doors];
  const excusedMs = allowanceMs(world, names, afterMs, atMs, survivedMs) + saturatedMs(world, fromMs, atMs);
  return waitedMs > mayTakeMs + excusedMs ? [`${nameOf(message, backlog)} ${what} for ${waitedMs} ms`] : [];
}

/** An ordering key that waits for an operator, or an inactive subscription: other promises cover these. */
function isHalted(backlog: Line, fromMs: number, untilMs: number, world: World): boolean {
  const isStuck = backlog.messages.some(({ writes }) =>
    writes.some(({ record, atMs }) => record?.state_reason === 'fault' && atMs <= untilMs),
  );
  const writes = writesOf(backlog.subscription.subscription_id, world);
  const then = [
    writes.findLast(({ atMs }) => atMs <= fromMs),
    ...writes.filter(({ atMs }) => atMs > fromMs && atMs <= untilMs),
  ];
  return isStuck || then.some((write) => write !== undefined && write.after.state !== 'active');
}
