import type { Timer } from '../../functions/core/signal/timer.ts';

/** A short name for a timer in tests: what it is for. */
export function timerName(timer: Timer): string {
  switch (timer.kind) {
    case 'signal':
      return `${timer.signal_kind} ${timer.payment_id}`;
    case 'circuit':
      return `circuit timer ${timer.generation}`;
    case 'recovery':
      return `step ${timer.step} of ${timer.recovery_id}`;
    case 'gap':
      return `gap ${timer.payment_id}`;
    case 'expiry':
      return `end of ${timer.subscription_id}`;
  }
}
