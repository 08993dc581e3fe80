import { chunks } from '../../adapters/dynamodb/chunks.ts';
import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { WantedSignal } from '../../core/ordering/circuit-timer.ts';
import { signal } from '../../core/signal/signal.ts';
import type { Timer } from '../../core/signal/timer.ts';
import { instant } from '../../core/text/instant.ts';
import type { WakePorts } from './ports.ts';

/** Ordering keys that are signalled in one call. */
const KEYS_IN_A_CALL = 10;

/**
 * The widest window at once: call after call, a drain would signal some 200 a second, however quick the
 * endpoint is.
 */
const KEYS_AT_ONCE = 100;

/**
 * Signals ordering keys, as many as there is time for, and answers how many. Their `check_at` moves on first,
 * so that no other timer signals them too; the rest is left to the next timer.
 *
 * @param probes ordering keys that are signalled even if another worker has moved them on
 */
export async function signalKeys(
  wanted: readonly WantedSignal[],
  probes: readonly string[],
  { timer, endsAtMs }: { readonly timer: Timer; readonly endsAtMs: number },
  ports: WakePorts,
  { graceMs }: DeliveryPolicy,
): Promise<number> {
  let signalled = 0;
  for (const some of chunks(wanted, KEYS_AT_ONCE)) {
    if (ports.now() >= endsAtMs) {
      break;
    }
    const checkAt = instant(ports.now() + graceMs);
    const counts = await Promise.all(
      chunks(some, KEYS_IN_A_CALL).map((together) => signalTogether(together, probes, checkAt, timer, ports)),
    );
    signalled += counts.reduce((sum, count) => sum + count, 0);
  }
  return signalled;
}

async function signalTogether(
  together: readonly WantedSignal[],
  probes: readonly string[],
  checkAt: string,
  timer: Timer,
  ports: WakePorts,
): Promise<number> {
  const moved = await Promise.all(together.map((one) => movedOn(one, checkAt, timer, ports)));
  // The circuit waits for its probes: they are signalled even if the index was out of date.
  const signals = together
    .filter(({ key }, index) => moved[index] || probes.includes(key.ordering_key))
    .map(({ key, signalKind }) => signal(key, signalKind));
  try {
    const left = signals.length === 0 ? [] : await ports.signal(signals);
    return signals.length - left.length;
  } catch (error) {
    ports.observer.internalError(error, timer);
    return 0;
  }
}

async function movedOn(
  { key, backloggedAt }: WantedSignal,
  checkAt: string,
  timer: Timer,
  ports: WakePorts,
): Promise<boolean> {
  try {
    return await ports.moveCheck(key, checkAt, backloggedAt);
  } catch (error) {
    ports.observer.internalError(error, timer);
    return false;
  }
}
