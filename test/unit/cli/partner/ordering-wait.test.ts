import { orderingWaits } from '../../../../cli/partner/ordering-wait.ts';
import type { MessageSummary } from '../../../../functions/core/message/message-view.ts';
import { at, summaryOf } from '../../../support/message-summaries.ts';

/** A message by its times in ms: intake, first attempt and end; undefined: not yet. */
function message(
  name: string,
  [admittedMs, attemptedMs, endedMs]: readonly [number, number?, number?],
  given: Partial<MessageSummary> = {},
): MessageSummary {
  const { held_ms = 0 } = given;
  return summaryOf(name, {
    admitted_at: at(admittedMs),
    time_to_send_ms: attemptedMs === undefined ? undefined : attemptedMs - admittedMs - held_ms,
    ended_at: endedMs === undefined ? undefined : at(endedMs),
    ...given,
  });
}

function waits(recorded: readonly MessageSummary[]) {
  return Object.fromEntries(orderingWaits(recorded));
}

test('the ordering wait lasts from intake until the earlier event is delivered', () => {
  expect(waits([message('a1', [0, 8, 110]), message('a2', [5, 120, 220])])).toEqual({ msg_a2: 105 });
});

test('each of three events waits for all earlier ones', () => {
  const recorded = [message('a1', [0, 8, 110]), message('a2', [5, 112, 220]), message('a3', [150, 223, 330])];
  expect(waits(recorded)).toEqual({ msg_a2: 105, msg_a3: 70 });
});

test('an event that arrives after the earlier one has ended does not wait', () => {
  expect(waits([message('a1', [0, 8, 110]), message('a2', [110, 118, 220])])).toEqual({});
});

test('events of other payments or subscriptions cause no wait', () => {
  const first = message('a1', [0, 8, 110]);
  expect(waits([first, message('b1', [5, 13, 120])])).toEqual({});
  expect(waits([first, message('a2', [5, 13, 120], { subscription_id: 'sub_2' })])).toEqual({});
});

test('the wait ends when the message is parked: from then on it is held', () => {
  const recorded = [message('a1', [0, 8, 5_000]), message('a2', [5, 5_010, 5_110], { held_ms: 4_000 })];
  expect(waits(recorded)).toEqual({ msg_a2: 1_005 });
});

test('a message parked at once behind a failed one waited only for its way through the queue', () => {
  const recorded = [message('a1', [0, 8, 5_000]), message('a2', [2_000, 5_010, 5_110], { held_ms: 2_990 })];
  expect(waits(recorded)).toEqual({ msg_a2: 20 });
});

test('a message that ended still waited for an earlier one that has not', () => {
  expect(waits([message('a1', [0, 8]), message('a2', [5, 120, 220])])).toEqual({ msg_a2: 115 });
});

test('a message without an attempt has no ordering wait', () => {
  expect(waits([message('a1', [0, 8]), message('a2', [5])])).toEqual({});
});

test('messages without a record, or requested again after their end, cause no wait', () => {
  const second = message('a2', [5, 120, 220]);
  expect(waits([second])).toEqual({});
  expect(waits([message('a1', [0, 8, 9_000], { late: true }), second])).toEqual({});
  const late = message('a2', [5, 120, 9_000], { late: true });
  expect(waits([message('a1', [0, 8, 110]), late, message('a3', [10, 130, 230])])).toMatchObject({
    msg_a3: 100,
  });
});

test('messages are ordered by intake, not by publishing; within one ms, by first attempt', () => {
  expect(waits([message('a1', [5, 120, 220]), message('a2', [0, 8, 110])])).toEqual({ msg_a1: 105 });
  expect(waits([message('a1', [0, 120, 220]), message('a2', [0, 8, 110])])).toEqual({ msg_a1: 110 });
});
