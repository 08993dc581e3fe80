import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import type { Signal, Timer } from '../../core/ordering/signal.ts';
import { carryOutTimer } from './circuit-timer.ts';
import type { FiredTimer, WakePorts } from './ports.ts';
import { carryOutRecovery } from './recover.ts';

/** A batch that starts now hints no key later than this; the function has 15 s. */
const WORKING_TIME_MS = 8_000;

/** Behind a batch that came full others may wait: a drain must not linger then. */
const FULL_BATCH = 10;

type Of<Kind extends Timer['kind']> = FiredTimer & {
  readonly timer: Extract<Timer, { readonly kind: Kind }>;
};

/**
 * Sets off the timers of a batch, all at the same time: what one of them meets is no matter of the others.
 *
 * @returns the ids of the records that come again
 */
export async function wake(
  fired: readonly FiredTimer[],
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<string[]> {
  const endsAtMs = ports.now() + WORKING_TIME_MS;
  const isAlone = fired.length < FULL_BATCH;
  const signals = fired.filter((one): one is Of<'hint'> => one.timer.kind === 'hint');
  const others = fired.filter((one): one is Of<'tick' | 'recovery'> => one.timer.kind !== 'hint');
  const again = await Promise.all([
    sendOn(signals, ports),
    ...others.map(async ({ recordId, timer }) => {
      try {
        await (timer.kind === 'tick'
          ? carryOutTimer(timer, { endsAtMs, mayLinger: isAlone }, ports, policy)
          : carryOutRecovery(timer, endsAtMs, ports));
        return [];
      } catch (error) {
        ports.observer.internalError(error, timer);
        return [recordId];
      }
    }),
  ]);
  return again.flat();
}

/** Turns timers into hints, together or, should that fail, each alone; answers the ids of those that were not taken. */
async function sendOn(fired: readonly Of<'hint'>[], ports: WakePorts): Promise<string[]> {
  const recordIds = new Map(
    fired.map(({ recordId, timer: { kind: _, ...signal } }): [Signal, string] => [signal, recordId]),
  );
  const { answers, failed } = await isolateFailures([...recordIds.keys()], (signals) =>
    ports.signal(signals),
  );
  for (const error of failed.values()) {
    ports.observer.internalError(error, undefined);
  }
  return [...answers.flat(), ...failed.keys()].flatMap((signal) => recordIds.get(signal) ?? []);
}
