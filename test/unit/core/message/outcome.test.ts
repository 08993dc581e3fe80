import type { Attempt, AttemptResult } from '../../../../functions/core/attempt/attempt.ts';
import type { Decision } from '../../../../functions/core/message/decision.ts';
import { type MessageRecord, messageRecordSchema } from '../../../../functions/core/message/history.ts';
import { MESSAGE_STATES } from '../../../../functions/core/message/message.ts';
import {
  afterAttempt,
  attemptOf,
  concludedRecord,
  inDoubt,
  isFinal,
  recordOf,
} from '../../../../functions/core/message/outcome.ts';
import { message } from '../../../support/builders.ts';
import { at } from '../circuit/given/circuits.ts';

/** Admitted at ten o'clock. */
const fresh = recordOf(message());
const succeeded: Decision = { state: 'succeeded' };
const retrying: Decision = { state: 'retrying', nextAttemptAtMs: at(8) };
const behind: Decision = { state: 'parked', reason: 'behind_earlier' };
const answer: AttemptResult = {
  status_code: 503,
  failure_class: 'http_status',
  failure_reason: 'HTTP 503',
  duration_ms: 99.6,
};

function tried(number: number, seconds: number, result: AttemptResult = answer): Attempt {
  return attemptOf(number, at(seconds), result, {});
}

test('only three states are final', () => {
  expect(MESSAGE_STATES.filter((state) => isFinal({ state }))).toEqual([
    'succeeded',
    'exhausted',
    'cancelled',
  ]);
});

describe('an attempt as the history keeps it', () => {
  test('says when, how long, what came back and why it failed', () => {
    const result: AttemptResult = { ...answer, response_body: 'busy', response_headers: { server: 'x' } };
    expect(attemptOf(2, at(3), result, { probe: true, earlier_may_be_missing: true })).toEqual({
      attempt: 2,
      started_at: '2026-11-14T10:00:03.000Z',
      duration_ms: 100,
      status_code: 503,
      failure_class: 'http_status',
      failure_reason: 'HTTP 503',
      response_body: 'busy',
      probe: true,
      earlier_may_be_missing: true,
    });
  });

  test('leaves out what there was not', () => {
    expect(attemptOf(1, at(3), { status_code: 204, response_body: '', duration_ms: 7 }, {})).toEqual({
      attempt: 1,
      started_at: '2026-11-14T10:00:03.000Z',
      duration_ms: 7,
      status_code: 204,
    });
  });
});

describe('the record after an attempt', () => {
  test('delivered at the first try: time to send, the attempt itself, the end', () => {
    const attempt = tried(1, 0.009, { status_code: 200, duration_ms: 200 });
    expect(afterAttempt(fresh, attempt, succeeded, at(0.209))).toEqual({
      ...fresh,
      state: 'succeeded',
      attempt_count: 1,
      time_to_send_ms: 9,
      last_attempt_at: '2026-11-14T10:00:00.009Z',
      last_status_code: 200,
      first_attempt: attempt,
      ended_at: '2026-11-14T10:00:00.209Z',
    });
  });

  test('failed at the first attempt: when the next one is due', () => {
    expect(afterAttempt(fresh, tried(1, 1), retrying, at(3))).toMatchObject({
      state: 'retrying',
      attempt_count: 1,
      next_attempt_at: '2026-11-14T10:00:08.000Z',
      last_status_code: 503,
      last_failure_class: 'http_status',
    });
  });

  test('a later try replaces what was last, and leaves what was first', () => {
    const first = afterAttempt(fresh, tried(1, 1), retrying, at(3));
    const timeout: AttemptResult = {
      failure_class: 'timeout',
      failure_reason: 'no answer',
      duration_ms: 10_000,
    };
    const second = afterAttempt(
      first,
      tried(2, 8, timeout),
      { state: 'exhausted', reason: 'schedule' },
      at(18),
    );
    expect(second).toEqual({
      ...fresh,
      state: 'exhausted',
      state_reason: 'schedule',
      attempt_count: 2,
      time_to_send_ms: 1_000,
      last_attempt_at: '2026-11-14T10:00:08.000Z',
      last_failure_class: 'timeout',
      first_attempt: first.first_attempt,
      ended_at: '2026-11-14T10:00:18.000Z',
    });
  });

  test('a failed probe waits in the backlog again, and has no time for its next attempt', () => {
    const first = afterAttempt(fresh, tried(1, 1), retrying, at(3));
    const probed = afterAttempt(first, tried(2, 60), { state: 'parked', reason: 'circuit_open' }, at(61));
    expect(probed).toMatchObject({ state: 'parked', state_reason: 'circuit_open', attempt_count: 2 });
    expect(probed).not.toHaveProperty('next_attempt_at');
    expect(probed).not.toHaveProperty('parked_at');
  });

  test('what it was held is not time to send', () => {
    const waiting = concludedRecord(fresh, behind, at(0.02));
    expect(waiting.parked_at).toBe('2026-11-14T10:00:00.020Z');
    expect(afterAttempt(waiting, tried(1, 300), succeeded, at(301))).toMatchObject({
      state: 'succeeded',
      held_ms: 299_980,
      time_to_send_ms: 20,
    });
  });

  test('time to send is taken once', () => {
    const waiting = concludedRecord(fresh, behind, at(1));
    const first = afterAttempt(waiting, tried(1, 10), retrying, at(11));
    expect(afterAttempt(first, tried(2, 90), succeeded, at(91))).toMatchObject({
      held_ms: 9_000,
      time_to_send_ms: 1_000,
    });
  });
});

test('that an attempt may be missing stays on the record until the next attempt', () => {
  const doubtful = concludedRecord(inDoubt(fresh), behind, at(1));
  expect(doubtful.earlier_may_be_missing).toBe(true);
  expect(afterAttempt(doubtful, tried(1, 2), retrying, at(3))).not.toHaveProperty('earlier_may_be_missing');
});

describe('the record without an attempt', () => {
  test('parked: since when, and why', () => {
    expect(concludedRecord(fresh, behind, at(1))).toEqual({
      ...fresh,
      state: 'parked',
      state_reason: 'behind_earlier',
      attempt_count: 0,
      parked_at: '2026-11-14T10:00:01.000Z',
    });
  });

  test.each<[Decision, object]>([
    [retrying, { next_attempt_at: '2026-11-14T10:00:08.000Z' }],
    [
      { state: 'cancelled', reason: 'deleted' },
      { state_reason: 'deleted', ended_at: '2026-11-14T10:00:01.000Z' },
    ],
  ])('%j without having waited: no time since when', (decision, expected) => {
    expect(concludedRecord(fresh, decision, at(1))).toEqual({
      ...fresh,
      state: decision.state,
      attempt_count: 0,
      ...expected,
    });
  });

  test('parked again for another reason: since the first time', () => {
    const waiting = concludedRecord(fresh, behind, at(1));
    expect(concludedRecord(waiting, { state: 'parked', reason: 'circuit_open' }, at(5))).toMatchObject({
      state_reason: 'circuit_open',
      parked_at: '2026-11-14T10:00:01.000Z',
    });
  });

  test('one that was attempted is parked without a time: it was held after its first attempt', () => {
    const first = afterAttempt(fresh, tried(1, 1), retrying, at(3));
    const waiting = concludedRecord(first, { state: 'parked', reason: 'fault' }, at(5));
    expect(waiting).toMatchObject({ state: 'parked', state_reason: 'fault', attempt_count: 1 });
    expect(waiting).not.toHaveProperty('parked_at');
    expect(waiting).not.toHaveProperty('next_attempt_at');
  });

  test.each<[Decision, string | undefined]>([
    [{ state: 'cancelled', reason: 'deleted' }, 'deleted'],
    [{ state: 'cancelled', reason: 'expired' }, 'expired'],
    [{ state: 'exhausted', reason: 'age' }, 'age'],
  ])('%j: the end, with its reason and its time', (decision, state_reason) => {
    const waiting = concludedRecord(fresh, behind, at(1));
    expect(concludedRecord(waiting, decision, at(9))).toEqual({
      ...fresh,
      state: decision.state,
      state_reason,
      attempt_count: 0,
      parked_at: '2026-11-14T10:00:01.000Z',
      ended_at: '2026-11-14T10:00:09.000Z',
    });
  });

  test('one that had ended and continues has not ended', () => {
    const ended = concludedRecord(fresh, { state: 'exhausted', reason: 'age' }, at(9));
    expect(concludedRecord(ended, retrying, at(10))).not.toHaveProperty('ended_at');
  });
});

test('whatever becomes of a message can be stored', () => {
  const decisions: readonly Decision[] = [
    succeeded,
    retrying,
    behind,
    { state: 'cancelled', reason: 'skipped' },
  ];
  const records: MessageRecord[] = decisions.flatMap((decision) => [
    afterAttempt(fresh, tried(1, 1), decision, at(2)),
    concludedRecord(fresh, decision, at(2)),
  ]);
  expect(records.map((record) => messageRecordSchema.parse(record))).toEqual(records);
});
