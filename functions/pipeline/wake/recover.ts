import { lookInto } from '../../core/message/look-into.ts';
import {
  isTimerOf,
  type Recovery,
  recoveryStep,
  recoveryTimer,
  STEP_EVERY_MS,
  shareOf,
  stoppedRecovery,
} from '../../core/message/recovery.ts';
import { sendInOrder } from '../../core/ordering/sending-order.ts';
import { resendSignal, type Signal } from '../../core/signal/signal.ts';
import type { Timer } from '../../core/signal/timer.ts';
import type { WakePorts } from './ports.ts';

type RecoveryTimer = Extract<Timer, { kind: 'recovery' }>;

/**
 * One step of a recovery: resends the messages of a page, those of each payment in order, then writes how far
 * it has come and arms the next step. A step that dies before it is written is repeated: a message that it
 * has resent already is found waiting, or is sent once more if it has ended again meanwhile.
 *
 * @throws when not all could be resent, or the step could not be written
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
    await countAfterStop(after, ports);
    return ports.observer.stale(timer);
  }
  ports.observer.recovered(before, after);
  if (after.state === 'running') {
    await armNext(after, ports);
  }
}

/** If its partner has stopped it while this step was under way, what the step has sent still counts. */
async function countAfterStop(
  { recovery_id, step, examined_count, resent_count, ...name }: Recovery,
  { recoveries }: WakePorts,
): Promise<void> {
  const now = await recoveries.find(name);
  if (now?.recovery_id === recovery_id && now.state === 'stopped' && now.step === step) {
    await recoveries.advance(now, { ...now, step: step + 1, examined_count, resent_count });
  }
}

/** Answers the recovery once all of its page is resent. */
async function resendPage(before: Recovery, endsAtMs: number, ports: WakePorts): Promise<Recovery> {
  const [page, recovering] = await Promise.all([
    ports.pastMessages(before),
    ports.recovering(before.service_id),
  ]);
  const share = shareOf(recovering);
  const looked = await lookInto(before, page, share, ports.contents);
  const { resend, after } = recoveryStep(before, looked.page, looked.wanted, share, ports.now());
  const unsent = await sendInOrder(
    resend.map((message) => resendSignal(message, before.recovery_id)),
    async (signals: readonly Signal[]) => (ports.now() < endsAtMs ? ports.signal(signals) : signals),
  );
  if (unsent.size > 0) {
    throw new Error(
      `recovery ${before.recovery_id}: ${unsent.size} of ${resend.length} signals were not taken`,
    );
  }
  return after;
}

/** Sweep replaces a timer that is lost. */
async function armNext(recovery: Recovery, ports: WakePorts): Promise<void> {
  const timer = recoveryTimer(recovery);
  try {
    await ports.arm([{ timer, dueAtMs: ports.now() + STEP_EVERY_MS }]);
  } catch (error) {
    ports.observer.internalError(error, timer);
  }
}
