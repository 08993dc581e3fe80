import { createHash } from 'node:crypto';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { operationalEventSchema } from '../../../../functions/core/event/operational-event.ts';
import { eventsOfChange, eventsOfRecord } from '../../../../functions/core/event/operational-events-of.ts';
import { type MessageRecord, recordOf } from '../../../../functions/core/message/history.ts';
import type { EndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { message, subscription } from '../../../support/builders.ts';
import { at, closed, draining, halted, open, probing } from '../circuit/circuits.ts';

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

/** What is told of a change, half a minute after ten; each is as the schema says. */
function told(before: EndpointHealth, after: EndpointHealth) {
  return eventsOfChange(subscription(), before, after, at(30)).map((event) =>
    operationalEventSchema.parse(event),
  );
}

test('an event says what, when and of whom, and nothing that a partner or a secret could be known by', () => {
  expect(told(active(closed()), active(open()))).toEqual([
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
    'an operator has a circuit that is probed left alone',
    active(probing()),
    active(halted()),
    { type: 'circuit.opened', reason: 'by_operator' },
  ],
  [
    'an operator has an open circuit not probed any more',
    active(open()),
    active(halted()),
    { type: 'circuit.opened', reason: 'by_operator' },
  ],
  ['an operator closes a circuit', active(open()), active(closed()), { type: 'circuit.closed' }],
  [
    'its owner pauses it',
    active(closed()),
    paused,
    { type: 'subscription.paused', previous_state: 'active' },
  ],
  [
    'its receiver disables it',
    active(closed()),
    disabled,
    { type: 'subscription.disabled', reason: 'gone', previous_state: 'active' },
  ],
  [
    'its owner enables it',
    disabled,
    active(draining()),
    { type: 'subscription.enabled', previous_state: 'disabled' },
  ],
  ['its owner deletes it', paused, deleted, { type: 'subscription.deleted', previous_state: 'paused' }],
  [
    'many messages wait',
    active(draining()),
    active(draining({ backlog: many })),
    { type: 'messages.waiting', waiting: 1_000 },
  ],
  [
    'half as many wait',
    active(draining({ backlog: many })),
    active(draining({ backlog: few })),
    { type: 'messages.waiting.eased', waiting: 500, waiting_since: HALF_PAST },
  ],
])('when %s, that is told', (_, before, after, expected) => {
  expect(told(before, after)).toEqual([expect.objectContaining(expected)]);
});

test.each<[string, EndpointHealth, EndpointHealth]>([
  ['nothing has changed', active(open()), active(open())],
  ['a circuit cools down', active(open()), active(probing())],
  ['a circuit that an operator has opened is looked at', active(halted()), active(halted())],
  ['a probe was in vain', active(probing()), active(open())],
  ['a drain begins', active(probing()), active(draining())],
  ['fewer than many wait', active(draining()), active(draining({ backlog: few }))],
  ['many still wait', active(draining({ backlog: many })), active(draining({ backlog: many, window: 8 }))],
  ['what is left of a deleted subscription has been cancelled', deleted, { ...deleted, circuit: closed() }],
])('nothing is told when %s', (_, before, after) => {
  expect(told(before, after)).toEqual([]);
});

test('the same change has the same id, and another one another', () => {
  const idOf = (revision: number) => told(active(closed()), active(open({ revision })))[0]?.id;
  expect(idOf(7)).toBe(idOf(7));
  expect(idOf(8)).not.toBe(idOf(7));
});

describe('a message', () => {
  const record = (over: Partial<MessageRecord>): MessageRecord => ({
    ...recordOf(message(), '{"a":"secret"}'),
    state: 'exhausted',
    state_reason: 'schedule',
    attempt_count: 11,
    ended_at: '2026-11-17T14:00:00.000Z',
    last_status_code: 503,
    last_failure_class: 'http_status',
    ...over,
  });

  test('that was given up is told, without what it says', () => {
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

  test.each(['retrying', 'parked', 'succeeded', 'cancelled'] as const)('that is %s is not', (state) => {
    expect(eventsOfRecord(record({ state }), at(30))).toEqual([]);
  });

  test('that was but a test ping is not', () => {
    expect(eventsOfRecord(record({ event_type: 'ping' }), at(30))).toEqual([]);
  });
});
