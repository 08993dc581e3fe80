import type { World } from '../world.ts';
import { writesOf } from './circuits/circuits-of.ts';
import { type Check, type Expected, hasLetPass, type Line, nameOf } from './evidence/backlog.ts';
import { saturatedMs } from './evidence/saturation.ts';
import { allowanceMs, foundAfterMs } from './evidence/touches.ts';

/** The way of a timer and of a hint. */
const WAY_MS = 5_000;
/** A record that is not on record yet was taken so long ago at most: whatever becomes of its worker, the next one sees it after its visibility. */
const ADMITTED_MS = 30_000;

/**
 * Whatever waits goes on in time, and sweep hides no loss for longer than it may: a retry within the time in which a lost signal is found, what was admitted within half a
 * minute, what is in line under a circuit that lets it pass within the time in which a tick that was lost is found. Each fault adds what it may cost, once.
 */
export const nobodyForgotten: Check = (world, lines) =>
  lines.flatMap((backlog) => [
    ...backlog.messages.flatMap((message) => untaken(message, backlog, world)),
    ...backlog.messages.flatMap((message) => untried(message, backlog, world)),
    ...backlog.messages.flatMap((message) => unsignalled(message, backlog, world)),
  ]);

/** Until its first sign of life. */
function untaken(message: Expected, backlog: Line, world: World): string[] {
  const firstMs = Math.min(
    message.writes[0]?.atMs ?? world.endedAtMs,
    message.requests[0]?.begunAtMs ?? world.endedAtMs,
  );
  // While an attempt of its payment is under way nobody else has the group.
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
    what: 'lay in a queue',
  });
}

/** A retry that was due: it is tried, or put in line, or ends. */
function untried(message: Expected, backlog: Line, world: World): string[] {
  return message.writes.flatMap(({ atMs, record }) => {
    if (record?.state !== 'retrying') {
      return [];
    }
    const dueAtMs =
      Date.parse(record.next_attempt_at ?? '') + world.plan.clockBehindMs + world.plan.clocksDifferMs;
    const nextMs = nextSign(message, atMs, world);
    // It may have joined the line in passing: then its time comes when its circuit has closed.
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

/** Since when a circuit has been closed at an instant; undefined while it is not. */
function closedSince(subscriptionId: string, ms: number, world: World): number | undefined {
  const writes = writesOf(subscriptionId, world).filter(({ atMs }) => atMs <= ms);
  if ((writes.at(-1)?.after.circuit.state ?? 'closed') !== 'closed') {
    return undefined;
  }
  return writes.findLast(({ before }) => before.circuit.state !== 'closed')?.atMs ?? 0;
}

/** What waits for its circuit, from when on that is closed, or drained to the end. */
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
      what: 'was in line under a closed circuit',
    });
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
  /** Faults count from then on. @default fromMs */
  readonly afterMs?: number;
  readonly atMs: number;
  readonly mayTakeMs: number;
  readonly what: string;
}

function tooLate(
  message: Expected,
  backlog: Line,
  world: World,
  { fromMs, afterMs = fromMs, atMs, mayTakeMs, what }: Waited,
): string[] {
  const waitedMs = atMs - fromMs;
  if (
    waitedMs <= mayTakeMs ||
    isHalted(backlog, fromMs, atMs, world) ||
    hasLetPass(message, backlog, afterMs, atMs)
  ) {
    return [];
  }
  const names = [backlog.key, backlog.subscription.subscription_id, backlog.shard];
  const excusedMs = allowanceMs(world, names, afterMs, atMs) + saturatedMs(world, fromMs, atMs);
  return waitedMs > mayTakeMs + excusedMs
    ? [`${nameOf(message, backlog)} ${what} for ${waitedMs} ms, and nobody looked`]
    : [];
}

/** A key that waits for an operator, or a subscription that is not active: others tell of those. */
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
