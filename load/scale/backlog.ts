import { DELIVERY_POLICY } from '../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../functions/core/circuit/circuit.ts';
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
    const payment_id = `${subscription_id}-old-${payment.toString(16)}`;
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
