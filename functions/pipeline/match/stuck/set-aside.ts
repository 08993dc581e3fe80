import { type PaymentName, paymentKey } from '../../../core/sequence/payment-sequence.ts';
import type { StuckEvent, StuckPayment } from '../../../core/stuck/ports.ts';
import { isStuck, NONE_STUCK, type StuckPayments, withStuck } from '../../../core/stuck/stuck-payments.ts';
import { instant } from '../../../core/text/instant.ts';
import { loggable } from '../../../core/text/loggable.ts';
import type { Usable } from '../make-messages.ts';
import type { MatchPorts } from '../ports.ts';
import type { Failure } from './failures.ts';

const MAX_EXPLANATION_CHARACTERS = 300;

interface Aside {
  /** Those that wait for an operator now: their records are done. */
  readonly events: readonly Usable[];
  /** Payments that have become stuck. */
  readonly stuck: readonly StuckPayment[];
}

/**
 * Sets events aside, payment by payment: those behind the first of a stuck payment, and those of a payment
 * that fails for itself. What cannot be set aside comes again, as if nothing were stuck. Never rejects.
 *
 * @param events what may not go on, in the order of the queue
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
    // One that waits for its turn may fail when a gap signal lets it go on.
    ...failures.map(({ payment }) => [paymentKey(payment), payment] as const),
  ]);
  for (const [key, { service_id, payment_id }] of payments) {
    const payment = { service_id, payment_id };
    const own = eventsOf.get(key) ?? [];
    const before = known.get(service_id) ?? NONE_STUCK;
    const failure = failures.find((one) => paymentKey(one.payment) === key);
    const since = instant(ports.now());
    const next = withStuck(before, payment_id, since);
    if (next === undefined || (failure === undefined && !isStuck(before, payment_id))) {
      continue;
    }
    const becomes: StuckPayment | undefined = failure && {
      ...payment,
      since,
      group: failure.intake.group,
      explanation: loggable(String(failure.error)).slice(0, MAX_EXPLANATION_CHARACTERS),
    };
    try {
      if (await ports.setAside(payment, own.map(stuckEventOf), { known: before, next }, becomes)) {
        known.set(service_id, next);
        aside.push(...own);
        stuck.push(...(becomes === undefined ? [] : [becomes]));
      }
    } catch (error) {
      ports.internalError(error, own.length);
    }
  }
  return { events: aside, stuck };
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
