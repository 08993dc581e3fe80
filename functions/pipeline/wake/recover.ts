import {
  isTimerOf,
  type Recovery,
  recoveryStep,
  recoveryTimer,
  STEP_EVERY_MS,
  stoppedRecovery,
} from '../../core/message/recovery.ts';
import { sendInOrder } from '../../core/ordering/sending-order.ts';
import { resendSignal, type Signal, type Timer } from '../../core/ordering/signal.ts';
import type { WakePorts } from './ports.ts';

type RecoveryTimer = Extract<Timer, { kind: 'recovery' }>;

/**
 * One step of a recovery: asks for the messages of a page again, those of each payment in order, then writes how far it has come and arms the next
 * step. A step that dies before it is written is repeated, and what it had asked for already is asked for twice: that finds it waiting or, had it ended again
 * meanwhile, has it sent once more.
 *
 * @throws when not all could be asked for, or the step could not be written
 */
export async function carryOutRecovery(
  timer: RecoveryTimer,
  endsAtMs: number,
  ports: WakePorts,
): Promise<void> {
  const before = await ports.recoveries.find(timer);
  if (before === undefined || !isTimerOf(timer, before)) {
    return ports.observer.stale(timer);
  }
  const subscription = await ports.subscription(timer);
  const after =
    subscription === undefined || subscription.state === 'deleted'
      ? stoppedRecovery(before, ports.now())
      : await resendPage(before, endsAtMs, ports);
  if (!(await ports.recoveries.advance(before, after))) {
    return ports.observer.stale(timer);
  }
  ports.observer.recovered(before, after);
  if (after.state === 'running') {
    await armNext(after, ports);
  }
}

/** Answers how the recovery stands once all of its page has been asked for. */
async function resendPage(before: Recovery, endsAtMs: number, ports: WakePorts): Promise<Recovery> {
  const [page, recovering] = await Promise.all([
    ports.pastMessages(before),
    ports.recovering(before.service_id),
  ]);
  const { resend, after } = recoveryStep(before, page, ports.now(), recovering);
  const unsent = await sendInOrder(resend.map(resendSignal), async (signals: readonly Signal[]) =>
    ports.now() < endsAtMs ? ports.signal(signals) : signals,
  );
  if (unsent.size > 0) {
    throw new Error(
      `recovery ${before.recovery_id}: ${unsent.size} of ${resend.length} wishes were not taken`,
    );
  }
  return after;
}

/** A timer that is lost is found by sweep. */
async function armNext(recovery: Recovery, ports: WakePorts): Promise<void> {
  const timer = recoveryTimer(recovery);
  try {
    await ports.arm([{ timer, dueAtMs: ports.now() + STEP_EVERY_MS }]);
  } catch (error) {
    ports.observer.internalError(error, timer);
  }
}
