import { orderingKey } from '../../../functions/core/message/message.ts';
import { paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import type { GapSignal } from '../../../functions/core/signal/gap-signal.ts';
import type { Signal } from '../../../functions/core/signal/signal.ts';
import type { Timer } from '../../../functions/core/signal/timer.ts';
import type { FifoQueue } from '../aws/queues/fifo-queue.ts';
import type { StandardQueue } from '../aws/queues/standard-queue.ts';
import type { Invocation } from '../workers/invocation.ts';

const LONGEST_DELAY_SECONDS = 900;
/** The longest delay of a late timer. */
const LATE_MS = 200_000;

/** Sends signals, each with its own deduplication id. Returns those that were not sent. */
export function sendSignals(
  signals: readonly Signal[],
  deliveries: FifoQueue,
  { newId, meets, tell, name, around }: Pick<Invocation, 'newId' | 'meets' | 'tell' | 'name' | 'around'>,
): Signal[] {
  return signals.filter((one) => {
    if (meets('partial', 'signal', orderingKey(one))) {
      return true;
    }
    tell(() => `signals ${orderingKey(one)}: ${one.signal_kind}`);
    deliveries.send({ body: JSON.stringify(one), group: orderingKey(one), deduplicationId: newId() });
    const { message_id: messageId, after_attempt: afterAttempt } = one;
    const atMs = around.clock.now();
    if (messageId !== undefined && afterAttempt !== undefined) {
      around.hurried.push({ atMs, messageId, afterAttempt });
    } else if (messageId !== undefined && one.signal_kind === 'resend') {
      around.asked.push({ atMs, by: name, messageId });
    }
    return false;
  });
}

/** Likewise for gap signals. */
export function sendGapSignals(
  signals: readonly GapSignal[],
  events: FifoQueue,
  { newId, meets, tell }: Pick<Invocation, 'newId' | 'meets' | 'tell'>,
): GapSignal[] {
  return signals.filter((one) => {
    if (meets('partial', 'signal', paymentKey(one))) {
      return true;
    }
    tell(() => `asks what waits of ${paymentKey(one)}`);
    events.send({ body: JSON.stringify(one), group: one.group, deduplicationId: newId() });
    return false;
  });
}

/** Sends timers with the adapter's delays. Some are silently lost, late or doubled. */
export function sendTimers(
  armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[],
  timers: StandardQueue,
  { meets, around, workersTime }: Pick<Invocation, 'meets' | 'around' | 'workersTime'>,
): void {
  for (const { timer, dueAtMs } of armings) {
    const name = nameOf(timer);
    const seconds = Math.ceil((dueAtMs - workersTime()) / 1_000);
    timers.send(JSON.stringify(timer), Math.min(Math.max(seconds, 0), LONGEST_DELAY_SECONDS), {
      isLost: meets('lostTimer', 'arm', name),
      isDoubled: meets('doubledTimer', 'arm', name),
      lateByMs: meets('lateTimer', 'arm', name) ? around.dice.whole(1, LATE_MS) : 0,
    });
  }
}

/** The port that arms timers. */
export function armer(invocation: Invocation, timers: StandardQueue) {
  return (armings: Parameters<typeof sendTimers>[0]): Promise<void> =>
    invocation.call('arm', () => sendTimers(armings, timers, invocation), {
      rejects: true,
      size: armings.length,
    });
}

function nameOf(timer: Timer): string {
  switch (timer.kind) {
    case 'signal':
      return orderingKey(timer);
    case 'gap':
      return paymentKey(timer);
    case 'circuit':
    case 'recovery':
    case 'expiry':
      return timer.subscription_id;
  }
}
