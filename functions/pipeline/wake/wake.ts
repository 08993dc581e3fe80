import type { SQSRecord } from 'aws-lambda';
import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import { readFormat } from '../../core/event/format-version.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { TIMER_FORMAT, type Timer } from '../../core/signal/timer.ts';
import { instant } from '../../core/text/instant.ts';
import { carryOutTimer } from './circuit-timer.ts';
import { carryOutExpiry } from './expire.ts';
import type { FiredTimer, WakePorts } from './ports.ts';
import { carryOutRecovery } from './recover.ts';

/** A batch signals no ordering key later than this after it began; the function has 15 s. */
const WORKING_TIME_MS = 8_000;

/** Behind a full batch other records may wait: then no drain may linger. */
const FULL_BATCH = 10;

type Of<Kind extends Timer['kind']> = FiredTimer & {
  readonly timer: Extract<Timer, { readonly kind: Kind }>;
};

/**
 * Carries out the timers of a batch, all at the same time. An error of one does not concern the others.
 *
 * @returns the ids of the records to be redelivered
 */
export async function wake(
  fired: readonly FiredTimer[],
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<string[]> {
  const endsAtMs = ports.now() + WORKING_TIME_MS;
  const isAlone = fired.length < FULL_BATCH;
  const signals = fired.flatMap(({ recordId, timer }) =>
    timer.kind === 'signal' ? [{ recordId, signal: signalOf(timer) }] : [],
  );
  const gapSignals = fired.flatMap(({ recordId, timer }) =>
    timer.kind === 'gap' ? [{ recordId, signal: { ...timer, asked_at: instant(ports.now()) } }] : [],
  );
  const others = fired.filter(
    (one): one is Of<'circuit' | 'recovery' | 'expiry'> =>
      one.timer.kind !== 'signal' && one.timer.kind !== 'gap',
  );
  const again = await Promise.all([
    sendOn(signals, ports.signal, ports),
    sendOn(gapSignals, ports.signalGaps, ports),
    ...others.map(async ({ recordId, timer }) => {
      try {
        switch (timer.kind) {
          case 'circuit':
            await carryOutTimer(timer, { endsAtMs, mayLinger: isAlone }, ports, policy);
            break;
          case 'recovery':
            await carryOutRecovery(timer, endsAtMs, ports);
            break;
          case 'expiry':
            await carryOutExpiry(timer, ports, policy);
            break;
        }
        return [];
      } catch (error) {
        ports.observer.internalError(error, timer);
        return [recordId];
      }
    }),
  ]);
  return again.flat();
}

function signalOf({ kind: _, ...signal }: Of<'signal'>['timer']): Signal {
  return signal;
}

/** Sends signals on, together or, if that fails, each alone; answers the ids of those that were not taken. */
async function sendOn<Sent extends object>(
  fired: readonly { readonly recordId: string; readonly signal: Sent }[],
  send: (signals: readonly Sent[]) => Promise<readonly Sent[]>,
  ports: Pick<WakePorts, 'observer'>,
): Promise<string[]> {
  const recordIds = new Map(fired.map(({ recordId, signal }) => [signal, recordId]));
  const { answers, failed } = await isolateFailures([...recordIds.keys()], send);
  for (const error of failed.values()) {
    ports.observer.internalError(error, undefined);
  }
  return [...answers.flat(), ...failed.keys()].flatMap((signal) => recordIds.get(signal) ?? []);
}

/** A record that this version cannot read as a timer. */
export interface Unreadable {
  readonly recordId: string;
  readonly explanation: string;
}

/**
 * Reads the records of a batch, and says of any other why it cannot be read. A timer of a newer format is one
 * of these: timers have no order to be kept, and sweep makes another.
 *
 * @param killer what to say of these records instead, unread
 */
export function readTimers(
  records: readonly Pick<SQSRecord, 'messageId' | 'body'>[],
  killer?: Killer,
  format = TIMER_FORMAT,
): {
  fired: FiredTimer[];
  unreadable: Unreadable[];
} {
  const fired: FiredTimer[] = [];
  const unreadable: Unreadable[] = [];
  for (const { messageId: recordId, body } of records) {
    if (killer !== undefined) {
      unreadable.push({ recordId, explanation: killer.explanation });
      continue;
    }
    const read = readFormat(parse(body), format);
    switch (read.kind) {
      case 'read':
        fired.push({ recordId, timer: read.value });
        break;
      case 'newer':
        unreadable.push({ recordId, explanation: `v: ${read.version} is newer than what is known here` });
        break;
      case 'unreadable':
        unreadable.push({ recordId, explanation: read.explanation });
        break;
    }
  }
  return { fired, unreadable };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
