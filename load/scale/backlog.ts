import { DELIVERY_POLICY } from '../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../functions/core/circuit/circuit.ts';
import type { Decision } from '../../functions/core/message/decision.ts';
import { type Message, messageId, orderingKey } from '../../functions/core/message/message.ts';
import { concludedRecord } from '../../functions/core/message/outcome.ts';
import type { QueuedMessage } from '../../functions/core/ordering/blocked-ordering-key.ts';
import { instant } from '../../functions/core/text/instant.ts';
import { newRecordOf, queuedMessageOf } from '../../functions/pipeline/deliver/look-up.ts';
import type { Cell, Partner } from './cell.ts';
import { PAD } from './partners/traffic.ts';

const HOUR_MS = 3_600_000;

/** A circuit that has just opened again, with its next probe at this instant. */
export function openCircuit(probeAtMs: number, coolDownMs: number): Circuit {
  return {
    state: 'open',
    revision: 7,
    generation: 5,
    timer_at: instant(probeAtMs),
    probe_at: instant(probeAtMs),
    since: instant(probeAtMs - coolDownMs),
    failing_since: instant(probeAtMs - HOUR_MS),
    cool_down_ms: coolDownMs,
    failed_ordering_keys: [],
  };
}

const LAID = '-old-';

/** The number of a payment of a backlog, from 0, the oldest one; undefined for any other payment. */
export function numberInBacklog(paymentId: string): number | undefined {
  const number = paymentId.split(LAID)[1];
  return number === undefined ? undefined : Number.parseInt(number, 16);
}

/** Lays a backlog of the last hour: payments with their messages. Also sets the circuit timer. */
export function layBacklog(
  cell: Cell,
  partner: Partner,
  { payments, eventsEach }: { readonly payments: number; readonly eventsEach: number },
): void {
  const { startedAtMs, surface } = cell;
  const { keys, history, timers } = surface;
  const { serviceId: service_id, subscriptionId: subscription_id, circuit } = partner;
  for (let payment = 0; payment < payments; payment += 1) {
    const admittedAtMs = startedAtMs - HOUR_MS + Math.floor((payment / payments) * HOUR_MS);
    const payment_id = `${subscription_id}${LAID}${payment.toString(16)}`;
    const name = { service_id, subscription_id, payment_id };
    const queued: QueuedMessage[] = [];
    for (let position = 1; position <= eventsEach; position += 1) {
      const message = messageOf(name, position, admittedAtMs);
      const reason = position === 1 ? 'circuit_open' : 'behind_earlier';
      const record = concludedRecord(
        newRecordOf({ message, receiveCount: 1 }),
        { state: 'parked', reason },
        admittedAtMs + 20,
      );
      queued.push(queuedMessageOf(message));
      history.load(record);
    }
    keys.load(
      {
        ...name,
        ordering_key: orderingKey(name),
        revision: 1,
        oldest_since: instant(admittedAtMs),
        state: 'backlogged',
        backlogged_at: instant(admittedAtMs + 20),
        check_at: instant(admittedAtMs + 20),
        age_check_at: instant(admittedAtMs + DELIVERY_POLICY.totalAgeMs),
      },
      queued,
    );
  }
  if (circuit?.timer_at !== undefined) {
    const timer = { v: 1, kind: 'circuit', service_id, subscription_id, generation: circuit.generation };
    timers.send(JSON.stringify(timer), Math.ceil((Date.parse(circuit.timer_at) - startedAtMs) / 1_000));
  }
}

/** Lays messages that ended in the last hour, each of its own payment. Returns their ids. */
export function layEnded(
  { startedAtMs, surface }: Cell,
  { serviceId: service_id, subscriptionId: subscription_id }: Partner,
  count: number,
  decision: Decision,
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const payment_id = `${subscription_id}-${decision.state}-${index.toString(16)}`;
    const admittedAtMs = startedAtMs - HOUR_MS + Math.floor((index / count) * HOUR_MS);
    const message = messageOf({ service_id, subscription_id, payment_id }, 1, admittedAtMs);
    const record = concludedRecord(newRecordOf({ message, receiveCount: 1 }), decision, admittedAtMs + 20);
    surface.history.load(record);
    return record.message_id;
  });
}

function messageOf(
  name: Pick<Message, 'service_id' | 'subscription_id' | 'payment_id'>,
  position: number,
  admitted_at_ms: number,
): Message {
  const event_id = `evt-${name.payment_id}-${position}`;
  return {
    ...name,
    v: 1,
    event_id,
    message_id: messageId({ ...name, event_id }),
    event_type: 'payment.changed',
    resource_type: 'payment',
    resource_id: name.payment_id,
    live: false,
    admitted_at_ms,
    occurred_at: instant(admitted_at_ms),
    order_number: String(position).padStart(20, '0'),
    resource: `{"payment_id":"${name.payment_id}","position":${position},"pad":"${PAD}"}`,
  };
}
