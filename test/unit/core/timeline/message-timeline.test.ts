import { type Circuit, CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { messageTimelines } from '../../../../functions/core/timeline/message-timeline.ts';
import { messageRecord } from '../../api/builders.ts';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

/** A message that occurred and was admitted in the first second. */
function course(over: Partial<MessageRecord> = {}, attempts = [attempt(1, 2)]) {
  const record = messageRecord({
    occurred_at: at(0),
    admitted_at: at(1),
    last_attempt_at: attempts.at(-1)?.started_at,
    attempt_count: attempts.length,
    ...over,
  });
  return { record, attempts };
}

function attempt(number: number, second: number, status_code = 200) {
  return {
    attempt: number,
    started_at: at(second),
    duration_ms: 9,
    status_code,
    ...(status_code === 200 ? {} : ({ failure_class: 'http_status', failure_reason: 'no' } as const)),
  };
}

const untried = (over: Partial<MessageRecord> = {}) =>
  course({ state: 'parked', parked_at: at(3), ...over }, []);

function timelineOf(one: ReturnType<typeof course>, circuit: Circuit = CLOSED) {
  return messageTimelines([one], new Map([['sub_1', circuit]]))[0]!;
}

test('a message that was delivered at once occurred, was admitted, attempted, and ended', () => {
  const { entries, ...rest } = timelineOf(course({ ended_at: at(2) }));
  expect(entries).toEqual([
    { at: at(0), kind: 'occurred' },
    { at: at(1), kind: 'admitted' },
    { at: at(2), kind: 'attempted', attempt: 1, duration_ms: 9, status_code: 200 },
    { at: at(2), kind: 'ended' },
  ]);
  expect(rest).toMatchObject({ message_id: 'msg_1', state: 'succeeded', attempt_count: 1 });
  expect(rest).not.toHaveProperty('waits_for');
  expect(rest).not.toHaveProperty('late');
});

test('neither the body nor an answer is told', () => {
  const answered = { ...attempt(1, 2), response_body: 'secret' };
  expect(JSON.stringify(timelineOf(course({ resource: 'secret' }, [answered])))).not.toContain('secret');
});

test('times of publishers are told in UTC, and in order', () => {
  const { entries } = timelineOf(course({ occurred_at: '2026-01-01T01:00:05.000+01:00' }));
  expect(entries.map(({ kind, at: when }) => [kind, when])).toEqual([
    ['admitted', at(1)],
    ['attempted', at(2)],
    ['occurred', at(5)],
  ]);
});

test('an event that was early waited from its arrival to its turn', () => {
  const numbered = { arrived_at: at(0), sequence: 3, position: 2, previous_message_id: 'msg_0' };
  const { entries, ...rest } = timelineOf(course({ ...numbered, gap_before: true }));
  expect(entries.map(({ kind, until }) => [kind, until])).toEqual([
    ['occurred', undefined],
    ['arrived', at(1)],
    ['admitted', undefined],
    ['attempted', undefined],
  ]);
  expect(rest).toMatchObject({ sequence: 3, position: 2, previous_message_id: 'msg_0', gap_before: true });
});

test('a message is held until its first attempt, and while it waits until nobody knows when', () => {
  const held = (one: ReturnType<typeof course>) =>
    timelineOf(one).entries.find(({ kind }) => kind === 'held');
  expect(held(untried({ state_reason: 'paused' }))).toEqual({ at: at(3), kind: 'held' });
  expect(held(course({ parked_at: at(3) }, [attempt(1, 7)]))).toMatchObject({ until: at(7) });
  expect(held(untried({ state: 'cancelled', ended_at: at(9) }))).toMatchObject({ until: at(9) });
});

test('a message that failed waits for its next attempt', () => {
  const one = course({ state: 'retrying', next_attempt_at: at(30) }, [attempt(1, 2, 503)]);
  expect(timelineOf(one).waits_for).toEqual({ reason: 'next_attempt', since: at(2), until: at(30) });
});

test('behind an open circuit it waits for the next probe, if there is one', () => {
  const open: Circuit = { ...CLOSED, state: 'open', cool_down_ms: 1_000, probe_at: at(40) };
  const { probe_at: _, ...openByHand } = open;
  const one = untried({ state_reason: 'circuit_open' });
  expect(timelineOf(one, open).waits_for).toEqual({ reason: 'circuit_open', since: at(3), until: at(40) });
  expect(timelineOf(one, openByHand).waits_for).toEqual({ reason: 'circuit_open', since: at(3) });
  expect(timelineOf(one).waits_for).toEqual({ reason: 'circuit_open', since: at(3) });
});

test('behind an earlier message it waits for the first of its own subscription, and for what is next there', () => {
  const of = (message_id: string, order_number: string, over: Partial<MessageRecord> = {}) =>
    untried({ message_id, order_number, state_reason: 'behind_earlier', ...over });
  const retrying = { state: 'retrying', state_reason: undefined, next_attempt_at: at(30) } as const;
  const told = messageTimelines(
    [
      of('msg_4', '10.0001'),
      of('msg_3', '10'),
      of('msg_2', '9', retrying),
      of('msg_1', '8', { state: 'succeeded' }),
      of('msg_9', '7', { subscription_id: 'sub_2', ordering_key: 'sub_2.pay_1' }),
      of('msg_0', '1', { ...retrying, late: true, next_attempt_at: at(50) }),
    ],
    new Map(),
  );
  expect(
    told.map(({ message_id, waits_for }) => [message_id, waits_for?.message_id, waits_for?.until]),
  ).toEqual([
    ['msg_4', 'msg_2', at(30)],
    ['msg_3', 'msg_2', at(30)],
    ['msg_2', undefined, at(30)],
    ['msg_1', undefined, undefined],
    ['msg_9', undefined, undefined],
    ['msg_0', undefined, at(50)],
  ]);
});

test('attempts that are not shown are counted', () => {
  const one = course({ attempt_count: 30 }, [attempt(1, 2, 503), attempt(29, 40, 503), attempt(30, 50)]);
  expect(timelineOf(one).attempts_left_out).toBe(27);
});

test.each([{ late: true }, { came_late: true }])('%j: it came out of order', (over) => {
  expect(timelineOf(course(over)).late).toBe(true);
});
