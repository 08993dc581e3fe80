import { createHash } from 'node:crypto';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { operationalEventSchema } from '../../../../functions/core/operational-events/operational-event.ts';
import {
  eventsOfChange,
  eventsOfRecord,
} from '../../../../functions/core/operational-events/operational-events-of.ts';
import { message, subscription } from '../../../support/builders.ts';
import { at, closed, draining, halted, open, probing } from '../circuit/given/circuits.ts';

const HALF_PAST = '2026-11-14T10:00:30.000Z';
const many = { counted_at: HALF_PAST, waiting: 1_000, since: HALF_PAST };
const few = { counted_at: HALF_PAST, waiting: 500 };

const active = (circuit: Circuit): EndpointHealth => ({ state: 'active', circuit });
const paused: EndpointHealth = { state: 'paused', circuit: halted() };
const disabled: EndpointHealth = {
  state: 'disabled',
  disabled_reason: 'gone',
  disabled_at: HALF_PAST,
  circuit: halted(),
};
const deleted: EndpointHealth = { state: 'deleted', circuit: draining() };

/** The events of a change, half a minute after ten, checked against the schema. */
function eventsFor(before: EndpointHealth, after: EndpointHealth) {
  return eventsOfChange(subscription(), before, after, at(30)).map((event) =>
    operationalEventSchema.parse(event),
  );
}

test('an event says what happened, when and to which subscription, and reveals no URL or secret', () => {
  expect(eventsFor(active(closed()), active(open()))).toEqual([
    {
      v: 1,
      id: `op_${createHash('sha256').update('circuit.opened\nsub_1\n7').digest().subarray(0, 18).toString('base64url')}`,
      type: 'circuit.opened',
      at: HALF_PAST,
      service_id: 'bakery',
      subscription_id: 'sub_1',
      reason: 'payments_failed',
      failing_since: '2026-11-14T09:59:00.000Z',
      probe_at: '2026-11-14T10:00:10.000Z',
    },
  ]);
});

test.each<[string, EndpointHealth, EndpointHealth, object]>([
  [
    'a circuit opens again during a drain',
    active(draining()),
    active(open()),
    { type: 'circuit.opened', reason: 'drain_failed' },
  ],
  [
    'a circuit closes',
    active(draining({ since: '2026-11-14T09:58:00.000Z' })),
    active(closed()),
    { type: 'circuit.closed', draining_since: '2026-11-14T09:58:00.000Z' },
  ],
  [
    'an operator opens a circuit',
    active(draining()),
    active(halted()),
    { type: 'circuit.opened', reason: 'by_operator' },
  ],
  [
    'an operator opens a circuit that is being probed',
    active(probing()),
    active(halted()),
    { type: 'circuit.opened', reason: 'by_operator' },
  ],
  [
    'an operator stops the probes of an open circuit',
    active(open()),
    active(halted()),
    { type: 'circuit.opened', reason: 'by_operator' },
  ],
  ['an operator closes a circuit', active(open()), active(closed()), { type: 'circuit.closed' }],
  [
    'the partner pauses it',
    active(closed()),
    paused,
    { type: 'subscription.paused', previous_state: 'active' },
  ],
  [
    'the endpoint disables it',
    active(closed()),
    disabled,
    { type: 'subscription.disabled', reason: 'gone', previous_state: 'active' },
  ],
  [
    'the partner enables it',
    disabled,
    active(draining()),
    { type: 'subscription.enabled', previous_state: 'disabled' },
  ],
  ['the partner deletes it', paused, deleted, { type: 'subscription.deleted', previous_state: 'paused' }],
  [
    'many messages wait',
    active(draining()),
    active(draining({ backlog_size: many })),
    { type: 'messages.waiting', waiting: 1_000 },
  ],
  [
    'half as many wait',
    active(draining({ backlog_size: many })),
    active(draining({ backlog_size: few })),
    { type: 'messages.waiting.eased', waiting: 500, waiting_since: HALF_PAST },
  ],
])('there is an event when %s', (_, before, after, expected) => {
  expect(eventsFor(before, after)).toEqual([expect.objectContaining(expected)]);
});

test.each<[string, EndpointHealth, EndpointHealth]>([
  ['nothing has changed', active(open()), active(open())],
  ['a circuit cools down', active(open()), active(probing())],
  ['the timer of a circuit that an operator opened fires', active(halted()), active(halted())],
  ['a probe failed', active(probing()), active(open())],
  ['a drain starts', active(probing()), active(draining())],
  ['fewer than many wait', active(draining()), active(draining({ backlog_size: few }))],
  [
    'many still wait',
    active(draining({ backlog_size: many })),
    active(draining({ backlog_size: many, window: 8 })),
  ],
  ['the rest of a deleted subscription has been cancelled', deleted, { ...deleted, circuit: closed() }],
])('there is no event when %s', (_, before, after) => {
  expect(eventsFor(before, after)).toEqual([]);
});

test('the same change has the same id, another change another id', () => {
  const idOf = (revision: number) => eventsFor(active(closed()), active(open({ revision })))[0]?.id;
  expect(idOf(7)).toBe(idOf(7));
  expect(idOf(8)).not.toBe(idOf(7));
});

describe('a message', () => {
  const record = (over: Partial<MessageRecord>): MessageRecord => ({
    ...recordOf(message()),
    state: 'exhausted',
    state_reason: 'schedule',
    attempt_count: 11,
    ended_at: '2026-11-17T14:00:00.000Z',
    last_status_code: 503,
    last_failure_class: 'http_status',
    ...over,
  });

  test('that is exhausted has an event, without its payload', () => {
    const events = eventsOfRecord(record({}), at(30)).map((event) => operationalEventSchema.parse(event));
    expect(events).toEqual([
      {
        v: 1,
        id: expect.stringMatching(/^op_[\w-]{24}$/),
        type: 'message.exhausted',
        at: '2026-11-17T14:00:00.000Z',
        service_id: 'bakery',
        subscription_id: 'sub_1',
        reason: 'schedule',
        message_id: message().message_id,
        payment_id: 'pay-1',
        event_id: 'evt-1',
        event_type: 'card_payment_captured',
        attempt_count: 11,
        admitted_at: '2026-11-14T10:00:00.000Z',
        last_status_code: 503,
        last_failure_class: 'http_status',
      },
    ]);
  });

  test.each(['retrying', 'parked', 'succeeded', 'cancelled'] as const)('that is %s has none', (state) => {
    expect(eventsOfRecord(record({ state }), at(30))).toEqual([]);
  });

  test('that is a test ping has none', () => {
    expect(eventsOfRecord(record({ event_type: 'ping' }), at(30))).toEqual([]);
  });
});
