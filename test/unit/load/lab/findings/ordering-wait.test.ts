import type { MessageSummary } from '../../../../../functions/core/message/message-view.ts';
import { orderingWaits } from '../../../../../load/lab/findings/ordering-wait.ts';
import type { Expected } from '../../../../../load/lab/scenario/expected.ts';
import { at, expectedMessage, summaryOf } from '../../builders.ts';

/** A message admitted after so many ms, first attempted after so many, and ended after so many; undefined: not yet. */
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

function waits(recorded: readonly MessageSummary[], given: Partial<Expected> = {}) {
  const expected = ['a1', 'a2', 'a3'].map((name) => expectedMessage(name, name === 'a2' ? given : {}));
  return Object.fromEntries(orderingWaits(expected, new Map(recorded.map((one) => [one.message_id, one]))));
}

test('an event waits from its admission until the one before it has been delivered; what comes after that is ours', () => {
  expect(waits([message('a1', [0, 8, 110]), message('a2', [5, 120, 220])])).toEqual({ msg_a2: 105 });
});

test('each of three waits for all that came before it', () => {
  const recorded = [message('a1', [0, 8, 110]), message('a2', [5, 112, 220]), message('a3', [150, 223, 330])];
  expect(waits(recorded)).toEqual({ msg_a2: 105, msg_a3: 70 });
});

test('an event that comes when the one before it is over waits for nobody', () => {
  expect(waits([message('a1', [0, 8, 110]), message('a2', [110, 118, 220])])).toEqual({});
});

test('an event of another payment, or for another subscription, is not waited for', () => {
  const recorded = [message('a1', [0, 8, 110]), message('a2', [5, 13, 120])];
  expect(waits(recorded, { paymentId: 'b' })).toEqual({});
  expect(waits(recorded, { subscriptionId: 'sub_2' })).toEqual({});
});

test('the wait ends when it is parked: from then on it is held, which is told apart already', () => {
  const recorded = [message('a1', [0, 8, 5_000]), message('a2', [5, 5_010, 5_110], { held_ms: 4_000 })];
  expect(waits(recorded)).toEqual({ msg_a2: 1_005 });
});

test('what was parked at once, behind one that had failed, waited in the queue for what its way there took', () => {
  const recorded = [message('a1', [0, 8, 5_000]), message('a2', [2_000, 5_010, 5_110], { held_ms: 2_990 })];
  expect(waits(recorded)).toEqual({ msg_a2: 20 });
});

test('one that has ended waits no less for one that has not: that it overtook it is another matter', () => {
  expect(waits([message('a1', [0, 8]), message('a2', [5, 120, 220])])).toEqual({ msg_a2: 115 });
});

test('one that was never attempted has waited for nothing that could be taken off', () => {
  expect(waits([message('a1', [0, 8]), message('a2', [5])])).toEqual({});
});

test('one without a record, and one whose first end was overwritten when it was asked for again, excuse nothing', () => {
  const second = message('a2', [5, 120, 220]);
  expect(waits([second])).toEqual({});
  expect(waits([message('a1', [0, 8, 9_000], { late: true }), second])).toEqual({});
  const late = message('a2', [5, 120, 9_000], { late: true });
  expect(waits([message('a1', [0, 8, 110]), late, message('a3', [10, 130, 230])])).toMatchObject({
    msg_a3: 100,
  });
});

test('they go in the order of admission, not of publishing; of two in the same ms the one attempted first was first', () => {
  expect(waits([message('a1', [5, 120, 220]), message('a2', [0, 8, 110])])).toEqual({ msg_a1: 105 });
  expect(waits([message('a1', [0, 120, 220]), message('a2', [0, 8, 110])])).toEqual({ msg_a1: 110 });
});
