import { positionOf } from '../../../functions/core/sequence/order-number.ts';
import { paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import type { Admitted } from '../people/publications.ts';
import type { World } from '../world.ts';
import { type Check, type Expected, type Line, nameOf } from './evidence/backlog.ts';
import { saturatedMs } from './evidence/saturation.ts';
import { allowanceMs, foundAfterMs } from './evidence/touches.ts';

/** The way of a timer, a gap signal, and a batch or two before it in its shard. */
const WAY_MS = 5_000;
/** Sweep runs each minute, and its timer takes as long again. */
const SWEEP_MS = 65_000;

/**
 * Numbered events of a payment are sent in the publisher's sequence. One that is missing is waited for as
 * long as the policy says, and no longer; what then comes late, or had nothing before it, says so. Messages
 * of a subscription are numbered without holes, each naming the one before.
 */
export const inSequence: Check = (world, lines) =>
  lines.flatMap((backlog) => {
    const numbered = backlog.messages.filter(({ sequence }) => sequence !== undefined);
    return numbered.length === 0
      ? []
      : [
          ...numbered.flatMap((message) => [
            ...overtaken(message, numbered, backlog, world),
            ...heldTooLong(message, numbered, backlog, world),
            ...unmarked(message, numbered, backlog, world),
          ]),
          ...misnumbered(backlog, world),
        ];
  });

/** Those with a lower number go first, unless they came when they were not waited for any longer. */
function overtaken(message: Expected, numbered: readonly Expected[], backlog: Line, world: World): string[] {
  const later = numbered
    .slice(0, numbered.indexOf(message))
    .filter(({ sequence }) => sequence! > message.sequence!);
  const isLate = message.arrivedAtMs >= givenUpFromMs(message.sequence!, backlog, world);
  if (later.length === 0 || isLate || isSecondOfNumber(message, backlog, world)) {
    return [];
  }
  return [
    `${nameOf(message, backlog)}, number ${message.sequence}, came in time and after ${later[0]!.eventId}`,
  ];
}

/** Another event has had its number: where that belongs, nobody knows. */
function isSecondOfNumber({ eventId, sequence, arrivedAtMs }: Expected, backlog: Line, { admitted }: World) {
  return admitted.some(
    (event) =>
      isOf(backlog, event) &&
      event.eventId !== eventId &&
      event.sequence === sequence &&
      event.atMs <= arrivedAtMs,
  );
}

/** From when on an event of this number is late: something behind it has waited for the whole time. */
function givenUpFromMs(sequence: number, backlog: Line, world: World): number {
  const { admitted, policy, plan } = world;
  const behind = admitted.filter((event) => isOf(backlog, event) && event.sequence! > sequence);
  return Math.min(
    ...behind.map(({ atMs }) => {
      const dueMs = atMs + policy.sequenceGapMs - plan.clocksDifferMs;
      // What comes while a signal waits for its worker, behind it, comes late too.
      return (
        dueMs - WAY_MS - allowanceMs(world, backlog.doors, dueMs, dueMs) - saturatedMs(world, atMs, dueMs)
      );
    }),
  );
}

/** Until the one before it was admitted, or until its gap is over. */
function heldTooLong(
  message: Expected,
  numbered: readonly Expected[],
  backlog: Line,
  world: World,
): string[] {
  const { policy, plan } = world;
  const { arrivedAtMs, admittedAtMs } = message;
  const before = numbered.find(
    ({ sequence, record }) => sequence === message.sequence! - 1 && record !== undefined && !record.came_late,
  );
  const gapMs = arrivedAtMs + policy.sequenceGapMs;
  const freeMs = before === undefined ? gapMs : Math.max(arrivedAtMs, before.admittedAtMs);
  const dueMs = Math.min(gapMs, freeMs) + plan.clocksDifferMs;
  const names = [
    paymentKey({ service_id: backlog.subscription.service_id, payment_id: backlog.paymentId }),
    ...backlog.doors,
    backlog.key,
  ];
  const mayTakeMs =
    WAY_MS +
    (policy.sequenceGapMs > policy.longestTimerMs ? SWEEP_MS + plan.lagMs : 0) +
    (plan.clocksDifferMs > 1_000 ? foundAfterMs(world) : 0) +
    allowanceMs(world, names, arrivedAtMs, admittedAtMs) +
    saturatedMs(world, arrivedAtMs, admittedAtMs);
  return admittedAtMs > dueMs + mayTakeMs
    ? [`${nameOf(message, backlog)} was held for ${admittedAtMs - arrivedAtMs} ms`]
    : [];
}

/** One without a mark came behind the one before it in the sequence. */
function unmarked(
  message: Expected,
  numbered: readonly Expected[],
  backlog: Line,
  { admitted }: World,
): string[] {
  const { sequence, record, arrivedAtMs } = message;
  if (record === undefined || record.gap_before || sequence === 1) {
    return [];
  }
  const name = `${nameOf(message, backlog)}, number ${sequence},`;
  const isBehindLater = numbered
    .slice(0, numbered.indexOf(message))
    .some((other) => other.sequence! > sequence! && other.record !== undefined);
  if (record.came_late) {
    return [];
  }
  const before = admitted.find((event) => isOf(backlog, event) && event.sequence === sequence! - 1);
  return [
    ...(isBehindLater ? [`${name} came behind later ones, and does not say so`] : []),
    ...(before === undefined || before.atMs > Math.max(message.admittedAtMs, arrivedAtMs)
      ? [`${name} does not say that the one before it is missing`]
      : []),
  ];
}

/** The positions of all messages that a subscription got of a payment, wanted or not. */
function misnumbered({ paymentId, subscription, plan, key }: Line, world: World): string[] {
  const { history, receivers } = world;
  // A batch that is matched again finds other routes than before, or another filter.
  const { changes, narrowings = [] } = plan;
  const isJudgedTwice =
    changes.some(({ kind }) => kind === 'event types') ||
    (world.plan.faults.untilMs > 0 && narrowings.some(({ kind }) => kind === 'filter'));
  if (isJudgedTwice || subscription.state === 'deleted') {
    return [];
  }
  const records = [...history.records.values()]
    .filter(
      ({ subscription_id, payment_id, position }) =>
        subscription_id === subscription.subscription_id &&
        payment_id === paymentId &&
        position !== undefined,
    )
    .sort((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1));
  const told = new Map(receivers.log.map(({ messageId, numbering }) => [messageId, numbering]));
  return records.flatMap(({ message_id, position, previous_message_id, sequence }, index) => {
    const previous = records[index - 1]?.message_id;
    const seen = told.get(message_id);
    const isTold =
      seen === undefined ||
      (seen.position === position &&
        seen.previous_message_id === (previous_message_id ?? null) &&
        seen.sequence === sequence);
    return [
      ...(position === index + 1 && previous_message_id === previous
        ? []
        : [
            `${message_id} of ${key} is ${position} behind ${previous_message_id}, not ${index + 1} behind ${previous}`,
          ]),
      ...(isTold ? [] : [`${message_id} of ${key} has another place in its body than on record`]),
    ];
  });
}

function isOf({ paymentId, subscription }: Line, event: Admitted): boolean {
  return (
    event.serviceId === subscription.service_id &&
    event.paymentId === paymentId &&
    event.sequence !== undefined &&
    event.publicType !== undefined
  );
}
