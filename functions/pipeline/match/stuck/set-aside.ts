import { type PaymentName, paymentKey } from '../../../core/sequence/payment-sequence.ts';
import type { StuckChange, StuckEvent, StuckPayment } from '../../../core/stuck/ports.ts';
import { isStuck, NONE_STUCK, type StuckPayments, withStuck } from '../../../core/stuck/stuck-payments.ts';
import { instant } from '../../../core/text/instant.ts';
import { loggable } from '../../../core/text/loggable.ts';
import type { Usable } from '../make-messages.ts';
import type { MatchPorts } from '../ports.ts';
import type { Failure } from '../results.ts';

const MAX_EXPLANATION_CHARACTERS = 300;

interface Aside {
  /** Those that wait for an operator now: their records are done. */
  readonly events: readonly Usable[];
  /** Payments that have become stuck. */
  readonly stuck: readonly StuckPayment[];
}

/**
 * Sets events aside, payment by payment: those behind the first of a stuck payment, and those of a payment
 * that fails for itself. What cannot be set aside is redelivered, as if nothing were stuck. Never rejects.
 *
 * @param events what may not be sent, in the order of the queue
 */
export async function setAside(
  events: readonly Usable[],
  failures: readonly Failure[],
  stuckOf: ReadonlyMap<string, StuckPayments>,
  ports: Pick<MatchPorts, 'setAside' | 'internalError' | 'now'>,
): Promise<Aside> {
  const known = new Map(stuckOf);
  const aside: Usable[] = [];
  const stuck: StuckPayment[] = [];
  const eventsOf = Map.groupBy(events, ({ event }) => paymentKey(event));
  const payments = new Map<string, PaymentName>([
    ...events.map(({ event }) => [paymentKey(event), event] as const),
    // One that waits for its turn may fail when a gap signal admits it.
    ...failures.map(({ payment }) => [paymentKey(payment), payment] as const),
  ]);
  for (const [key, { service_id, payment_id }] of payments) {
    const payment = { service_id, payment_id };
    const own = eventsOf.get(key) ?? [];
    const failure = failures.find((one) => paymentKey(one.payment) === key);
    if (failure === undefined && !isStuck(known.get(service_id) ?? NONE_STUCK, payment_id)) {
      continue;
    }
    let becomes: StuckPayment | undefined = failure && {
      ...payment,
      since: instant(ports.now()),
      group: failure.intake.group,
      explanation: loggable(String(failure.error)).slice(0, MAX_EXPLANATION_CHARACTERS),
    };
    // One by one: together they may be larger than a transaction. Behind one that cannot be stored, none is.
    for (const one of own.length === 0 ? [undefined] : own) {
      const before = known.get(service_id) ?? NONE_STUCK;
      const next = withStuck(before, payment_id, instant(ports.now()));
      const change = next && { known: before, next };
      if (change === undefined || !(await isSetAside(payment, one, change, becomes, ports))) {
        break;
      }
      known.set(service_id, change.next);
      aside.push(...(one === undefined ? [] : [one]));
      stuck.push(...(becomes === undefined ? [] : [becomes]));
      becomes = undefined;
    }
  }
  return { events: aside, stuck };
}

async function isSetAside(
  payment: PaymentName,
  one: Usable | undefined,
  change: StuckChange,
  becomes: StuckPayment | undefined,
  ports: Pick<MatchPorts, 'setAside' | 'internalError'>,
): Promise<boolean> {
  try {
    return await ports.setAside(payment, one && stuckEventOf(one), change, becomes);
  } catch (error) {
    ports.internalError(error, 1);
    return false;
  }
}

function stuckEventOf({ event, intake }: Usable): StuckEvent {
  const { recordId, group, body, orderNumber, admittedAtMs } = intake;
  return {
    service_id: event.service_id,
    payment_id: event.payment_id,
    record_id: recordId,
    group,
    body,
    order_number: orderNumber,
    admitted_at_ms: admittedAtMs,
  };
}
