import fc from 'fast-check';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import {
  type BlockedKey,
  type BlockedKeyInput,
  blockedKeySchema,
  nextBlockedKey,
  withOthersBehind,
} from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import { positionOf } from '../../../../functions/core/sequence/order-number.ts';
import { checkAtMs } from '../../../../functions/core/signal/due.ts';
import { at, blockedKeys } from '../circuit/given/circuits.ts';

function step(key: BlockedKey | undefined, input: BlockedKeyInput, seconds = 0): BlockedKey | undefined {
  return nextBlockedKey(key, input, context(seconds));
}

function context(seconds = 0) {
  return {
    nowMs: at(seconds),
    policy: DELIVERY_POLICY,
    name: { service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay-1' },
    oldestSince: '2026-11-14T09:15:00.000Z',
  };
}
const inputs = {
  attempt_failed: { kind: 'attempt_failed', dueAtMs: at(5) },
  probe_failed: { kind: 'probe_failed' },
  barred: { kind: 'barred' },
  handed_over: { kind: 'handed_over' },
  got_stuck: { kind: 'got_stuck', explanation: 'no resource' },
  released: { kind: 'released' },
  moved_on: { kind: 'moved_on' },
  took_turn: { kind: 'took_turn' },
  emptied: { kind: 'emptied' },
} satisfies { readonly [Kind in BlockedKeyInput['kind']]: Extract<BlockedKeyInput, { kind: Kind }> };

describe('each state with each input', () => {
  type From = BlockedKey['state'] | 'absent';
  // What cannot happen is written as a dash: it throws.
  const becomes: Record<From, Record<BlockedKeyInput['kind'], From | '-'>> = {
    absent: {
      attempt_failed: 'waiting',
      probe_failed: 'backlogged',
      barred: 'backlogged',
      handed_over: 'waiting',
      got_stuck: 'stuck',
      released: '-',
      took_turn: '-',
      moved_on: '-',
      emptied: '-',
    },
    waiting: {
      attempt_failed: 'waiting',
      probe_failed: 'backlogged',
      barred: 'backlogged',
      handed_over: 'waiting',
      got_stuck: 'stuck',
      released: 'waiting',
      took_turn: 'backlogged',
      moved_on: 'waiting',
      emptied: 'absent',
    },
    backlogged: {
      attempt_failed: 'waiting',
      probe_failed: 'backlogged',
      barred: 'backlogged',
      handed_over: 'backlogged',
      got_stuck: 'stuck',
      released: '-',
      took_turn: 'backlogged',
      moved_on: 'backlogged',
      emptied: 'absent',
    },
    stuck: {
      attempt_failed: '-',
      probe_failed: '-',
      barred: '-',
      handed_over: '-',
      got_stuck: 'stuck',
      released: 'waiting',
      took_turn: '-',
      moved_on: 'stuck',
      emptied: 'absent',
    },
  };
  const keys = { absent: undefined, ...blockedKeys };

  function outcome(from: From, input: BlockedKeyInput): string {
    try {
      return step(keys[from], input)?.state ?? 'absent';
    } catch {
      return '-';
    }
  }

  test.each(Object.keys(keys) as From[])('%s', (from) => {
    const found = Object.entries(inputs).map(([kind, input]) => [kind, outcome(from, input)]);
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  });

  test.each(Object.keys(keys) as From[])(
    '%s: what it becomes can be stored, with the next revision',
    (from) => {
      for (const [kind, input] of Object.entries(inputs)) {
        if (!['-', 'absent'].includes(becomes[from][kind as BlockedKeyInput['kind']])) {
          const next = step(keys[from], input);
          expect(blockedKeySchema.parse(next)).toEqual(next);
          expect(next?.revision).toBe(from === 'absent' ? at(0) + 1 : 5);
        }
      }
    },
  );

  test('what cannot happen says what it was', () => {
    expect(() => step(undefined, inputs.released)).toThrow('a key that is absent cannot have released');
  });
});

const common = {
  ordering_key: 'sub_1.pay-1',
  service_id: 'bakery',
  subscription_id: 'sub_1',
  payment_id: 'pay-1',
  oldest_since: '2026-11-14T09:15:00.000Z',
};

test('a failed attempt blocks the ordering key until the next one is due; sweep checks two minutes later', () => {
  expect(step(undefined, inputs.attempt_failed)).toEqual({
    ...common,
    revision: at(0) + 1,
    state: 'waiting',
    due_at: '2026-11-14T10:00:05.000Z',
    check_at: '2026-11-14T10:02:05.000Z',
  });
});

test('what was handed over is due at once', () => {
  expect(step(undefined, inputs.handed_over)).toMatchObject({
    state: 'waiting',
    due_at: '2026-11-14T10:00:00.000Z',
    check_at: '2026-11-14T10:02:00.000Z',
  });
  expect(step(blockedKeys.waiting, inputs.handed_over)).toMatchObject({ due_at: '2026-11-14T10:00:00.000Z' });
});

test('the next message of an ordering key that was due is due as well', () => {
  expect(step(blockedKeys.waiting, inputs.moved_on, 1_900)).toMatchObject({
    due_at: '2026-11-14T10:30:00.000Z',
    check_at: '2026-11-14T10:33:40.000Z',
  });
});

test('an ordering key that meets a closed gate joins the backlog at its end', () => {
  expect(step(blockedKeys.waiting, inputs.barred)).toEqual({
    ...common,
    revision: 5,
    state: 'backlogged',
    backlogged_at: '2026-11-14T10:00:00.000Z',
    check_at: '2026-11-14T10:00:00.000Z',
    age_check_at: '2026-11-17T13:15:00.000Z',
  });
});

describe('sweep checks an ordering key in the backlog', () => {
  const checkOf = (oldestSince: string, input: BlockedKeyInput) =>
    (
      nextBlockedKey(blockedKeys.backlogged, input, { ...context(0), oldestSince }) as {
        age_check_at?: string;
      }
    ).age_check_at;

  test.each([
    ['2026-11-14T09:59:00.000Z', '2026-11-17T13:59:00.000Z'],
    ['2026-11-14T09:59:00.001Z', '2026-11-17T14:00:00.000Z'],
    ['2026-11-14T10:00:00.000Z', '2026-11-17T14:00:00.000Z'],
  ])('at the first full minute at which what waits since %s is over age', (since, expected) => {
    expect(checkOf(since, inputs.barred)).toBe(expected);
  });

  test.each(['2026-11-11T05:30:00.000Z', '2026-11-11T06:00:00.000Z'])(
    'again in two minutes, when what waits since %s is over age already and has just been looked at',
    (since) => {
      expect(checkOf(since, inputs.barred)).toBe('2026-11-14T10:02:00.000Z');
    },
  );

  test('for its next message, once the oldest has ended', () => {
    expect(checkOf('2026-11-14T09:30:00.000Z', inputs.moved_on)).toBe('2026-11-17T13:30:00.000Z');
  });
});

test('an ordering key in the backlog that stays there keeps its position, and can be signalled', () => {
  expect(step(blockedKeys.backlogged, inputs.barred)).toMatchObject({
    backlogged_at: '2026-11-14T09:30:00.000Z',
    check_at: '2026-11-14T10:00:00.000Z',
  });
});

test.each(['moved_on', 'handed_over'] as const)(
  'an ordering key in the backlog that is being worked on, or handed over with a signal (%s), keeps its position, and no drain signals it for two minutes',
  (kind) => {
    expect(step(blockedKeys.backlogged, inputs[kind])).toMatchObject({
      backlogged_at: '2026-11-14T09:30:00.000Z',
      check_at: '2026-11-14T10:02:00.000Z',
    });
  },
);

test('an ordering key whose probe failed keeps its position, and can be signalled', () => {
  expect(step(blockedKeys.backlogged, inputs.probe_failed)).toMatchObject({
    backlogged_at: '2026-11-14T09:30:00.000Z',
    check_at: '2026-11-14T10:00:00.000Z',
  });
});

test('an internal error waits for an operator, with its explanation', () => {
  expect(step(blockedKeys.waiting, inputs.got_stuck)).toEqual({
    ...common,
    revision: 5,
    state: 'stuck',
    since: '2026-11-14T10:00:00.000Z',
    explanation: 'no resource',
  });
});

test('an internal error that is met again keeps its age, and is explained anew', () => {
  expect(step(blockedKeys.stuck, inputs.got_stuck)).toMatchObject({
    since: '2026-11-14T09:30:00.000Z',
    explanation: 'no resource',
  });
});

test('an ordering key that was released is due at once', () => {
  expect(step(blockedKeys.stuck, inputs.released)).toMatchObject({
    state: 'waiting',
    due_at: '2026-11-14T10:00:00.000Z',
  });
});

describe('when sweep checks an ordering key', () => {
  const MINUTE = 60_000;
  test.each([
    ['overdue by an hour', -60, 2],
    ['due now', 0, 2],
    ['due in 14 minutes', 14, 16],
    ['due in 15 minutes', 15, 17],
    ['due in 16 minutes', 16, 2],
    ['due in 24 hours', 1_440, 1_426],
  ])('one that is %s (%i min): in %i min', (_, dueIn, syntheticReceiver) => {
    expect(checkAtMs(at(0) + dueIn * MINUTE, at(0), DELIVERY_POLICY)).toBe(
      at(0) + syntheticReceiver * MINUTE,
    );
  });

  test('never later than two minutes after it was due, and always to come', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), (dueInMs) => {
        const syntheticReceiverMs = checkAtMs(at(0) + dueInMs, at(0), DELIVERY_POLICY) - at(0);
        expect(syntheticReceiverMs).toBeGreaterThan(0);
        expect(syntheticReceiverMs).toBeLessThanOrEqual(Math.max(0, dueInMs) + 2 * MINUTE);
      }),
    );
  });

  test('a sweep that checks finds a due time within the reach of a timer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.integer({ min: 0, max: MINUTE }),
        (dueInMs, lateMs) => {
          const checkedAtMs = checkAtMs(dueInMs, 0, DELIVERY_POLICY) + lateMs;
          expect(dueInMs - checkedAtMs).toBeLessThanOrEqual(15 * MINUTE);
        },
      ),
    );
  });
});

test('messages that are added give the ordering key its next revision, and nothing else', () => {
  for (const key of Object.values(blockedKeys)) {
    expect(withOthersBehind(key)).toEqual({ ...key, revision: 5 });
  }
});

describe('the position of a message', () => {
  const ZEROS = '0'.repeat(37);

  test.each([
    ['7', `${ZEROS}07`],
    ['12.0003', `${ZEROS}12.0003`],
    ['9'.repeat(39), '9'.repeat(39)],
  ])('with the number %s', (order_number, position) => {
    expect(positionOf({ order_number })).toBe(position);
    expect(positionOf({ order_number }, true)).toBe(`~${position}`);
  });

  test('is by number, then by rank; those that are sent late come behind all others', () => {
    interface Placed {
      readonly number: bigint;
      readonly rank: number;
      readonly late: boolean;
    }
    const digits = (max: number) => fc.bigInt({ min: 1n, max: 10n ** BigInt(max) - 1n });
    const messages: fc.Arbitrary<Placed> = fc.record({
      number: fc.oneof(digits(1), digits(20), digits(39)),
      rank: fc.integer({ min: 0, max: 20 }),
      late: fc.boolean(),
    });
    const place = ({ number, rank, late }: Placed) => {
      const suffix = rank === 0 ? '' : `.${String(rank).padStart(4, '0')}`;
      return positionOf({ order_number: `${number}${suffix}` }, late);
    };
    const isBefore = (one: Placed, other: Placed) => {
      if (one.late !== other.late) {
        return other.late;
      }
      return one.number === other.number ? one.rank < other.rank : one.number < other.number;
    };
    fc.assert(
      fc.property(messages, messages, (one, other) => {
        expect(place(one) < place(other)).toBe(isBefore(one, other));
      }),
    );
  });
});
