import fc from 'fast-check';
import { newSequence, type PaymentSequence } from '../../../../functions/core/sequence/payment-sequence.ts';
import {
  type Admitted,
  admitWaiting,
  arrive,
  gapEndsAtMs,
  giveUp,
  MAX_EARLY,
  type Step,
} from '../../../../functions/core/sequence/steps.ts';
import { instant } from '../../../../functions/core/text/instant.ts';

const GAP_MS = 900_000;
const START_MS = Date.UTC(2026, 10, 14, 10);
const PAYMENT = { service_id: 'bakery', payment_id: 'pay-1' };

/** A payment to which events come, numbers with a letter for another event of that number. */
function payment() {
  let state: PaymentSequence = newSequence(PAYMENT, 'shard-01');
  let nowMs = START_MS;
  const take = (steps: readonly Step[]): Admitted[] => {
    state = steps.at(-1)?.after ?? state;
    return steps.flatMap((step) => (step.kind === 'admitted' ? [step.event] : []));
  };
  return {
    comes: (name: string) =>
      take(arrive(state, { sequence: Number.parseInt(name, 10), event_id: name }, instant(nowMs))).map(said),
    kinds: (name: string) => {
      const steps = arrive(state, { sequence: Number.parseInt(name, 10), event_id: name }, instant(nowMs));
      take(steps);
      return steps.map(({ kind }) => kind);
    },
    waits(ms: number) {
      nowMs += ms;
      state = giveUp(state, nowMs, GAP_MS);
      return take(admitWaiting(state)).map(said);
    },
    pass(ms: number) {
      nowMs += ms;
    },
    get state() {
      return state;
    },
  };
}

function said({ event_id, mark, isUnplaced }: Admitted): string {
  return [event_id, mark, isUnplaced && 'unplaced'].filter(Boolean).join(' ');
}

test('events in sequence continue as they come', () => {
  const { comes } = payment();
  expect(['1', '2', '3'].map(comes)).toEqual([['1'], ['2'], ['3']]);
});

test('an early event waits for those before it, and continues right behind them', () => {
  const { comes } = payment();
  expect(['1', '4', '3', '2', '5'].map(comes)).toEqual([['1'], [], [], ['2', '3', '4'], ['5']]);
});

test('what has come before is recognised, whether it waits or has continued', () => {
  const { comes, kinds } = payment();
  comes('1');
  comes('3');
  expect(kinds('1')).toEqual(['repeated']);
  expect(kinds('3')).toEqual(['repeated']);
  expect(comes('2')).toEqual(['2', '3']);
  expect(kinds('3')).toEqual(['repeated']);
});

test('an id that comes with another number names another event', () => {
  const early = newSequence(PAYMENT, 'shard-01');
  const [first] = arrive(early, { sequence: 3, event_id: 'a' }, instant(START_MS));
  const [second] = arrive(first!.after, { sequence: 5, event_id: 'a' }, instant(START_MS));
  expect([first, second].map((step) => step?.kind)).toEqual(['early', 'early']);
});

test('an event that has waited says since when; one that has just come does not', () => {
  const waits = arrive(newSequence(PAYMENT, 'shard-01'), { sequence: 2, event_id: '2' }, instant(START_MS));
  const steps = arrive(waits.at(-1)!.after, { sequence: 1, event_id: '1' }, instant(START_MS + 5_000));
  expect(steps.map((step) => step.kind === 'admitted' && step.event)).toEqual([
    { sequence: 1, event_id: '1' },
    { sequence: 2, event_id: '2', since: '2026-11-14T10:00:00.000Z' },
  ]);
});

describe('a gap', () => {
  test('is given up when the time of what waits is over, and what follows it says so', () => {
    const { comes, waits } = payment();
    comes('1');
    comes('3');
    comes('4');
    expect(waits(GAP_MS - 1)).toEqual([]);
    expect(waits(1)).toEqual(['3 gap_before', '4']);
    expect(comes('5')).toEqual(['5']);
  });

  test('whose event comes after all makes it late, once', () => {
    const { comes, waits, kinds } = payment();
    comes('1');
    comes('3');
    waits(GAP_MS);
    expect(comes('2')).toEqual(['2 late']);
    expect(kinds('2')).toEqual(['repeated']);
  });

  test('that is given up stays so until what waited has continued, even if the writer dies in between', () => {
    let state = newSequence(PAYMENT, 'shard-01');
    for (const name of ['1', '3']) {
      const arrival = { sequence: Number(name), event_id: name };
      state = arrive(state, arrival, instant(START_MS)).at(-1)?.after ?? state;
    }
    const written = giveUp(state, START_MS + GAP_MS, GAP_MS);
    expect(giveUp(written, START_MS + GAP_MS, GAP_MS)).toBe(written);
    const steps = arrive(written, { sequence: 2, event_id: '2' }, instant(START_MS + GAP_MS));
    expect(steps.map((step) => step.kind === 'admitted' && said(step.event))).toEqual([
      '3 gap_before',
      '2 late',
    ]);
  });

  test('holds an event for no longer than its own time, and lets those of lower numbers go first', () => {
    const { comes, waits, pass } = payment();
    comes('9');
    pass(GAP_MS / 2);
    comes('5');
    expect(waits(GAP_MS / 2)).toEqual(['5 gap_before', '9 gap_before']);
  });

  test('that is given up leaves a later gap as it is: its events are still waited for', () => {
    const { comes, waits, pass } = payment();
    comes('1');
    comes('3');
    pass(GAP_MS / 2);
    comes('6');
    expect(waits(GAP_MS / 2)).toEqual(['3 gap_before']);
    expect(['4', '5'].map(comes)).toEqual([['4'], ['5', '6']]);
  });

  test('of any length takes no more than the hundred places for events that are known', () => {
    const one = payment();
    for (let sequence = 1; sequence <= 100; sequence++) {
      one.comes(String(sequence));
    }
    one.comes('1000');
    expect(giveUp(one.state, START_MS + GAP_MS, GAP_MS).recent).toHaveLength(100);
  });

  test('at the start: a payment that is older than the deployment', () => {
    const { comes, waits } = payment();
    comes('7');
    expect(waits(GAP_MS)).toEqual(['7 gap_before']);
    expect(comes('8')).toEqual(['8']);
  });

  test('before more events than may wait is given up at once', () => {
    const { comes, waits } = payment();
    for (let sequence = 3; sequence < 3 + MAX_EARLY - 1; sequence++) {
      comes(String(sequence));
    }
    expect(waits(0)).toEqual([]);
    comes(String(2 + MAX_EARLY));
    expect(waits(0)).toHaveLength(MAX_EARLY);
  });

  test('ends for what waits longest', () => {
    const one = payment();
    expect(gapEndsAtMs(one.state, GAP_MS)).toBeUndefined();
    one.comes('9');
    one.pass(5_000);
    one.comes('5');
    expect(gapEndsAtMs(one.state, GAP_MS)).toBe(START_MS + GAP_MS);
  });
});

describe('a number that two events have', () => {
  test('makes the second one late, and its repeats are known', () => {
    const { comes, kinds } = payment();
    comes('1');
    expect(comes('1b')).toEqual(['1b late']);
    expect(kinds('1b')).toEqual(['repeated']);
    expect(comes('2')).toEqual(['2']);
  });

  test('makes it late too if both came early', () => {
    const { comes } = payment();
    comes('2');
    comes('2b');
    expect(comes('1')).toEqual(['1', '2', '2b late']);
  });

  test('leaves it without a position after twenty of them', () => {
    const { comes } = payment();
    comes('1');
    const others = Array.from({ length: 21 }, (_, index) => comes(`1-${index}`));
    expect(others.at(-2)).toEqual(['1-19 late']);
    expect(others.at(-1)).toEqual(['1-20 late unplaced']);
  });
});

test('an event of which nobody knows any more whether it came has no position', () => {
  const { comes } = payment();
  for (let sequence = 1; sequence <= 101; sequence++) {
    comes(String(sequence));
  }
  expect(comes('1')).toEqual(['1 late unplaced']);
  expect(comes('2')).toEqual([]);
});

const arrivals = fc.array(
  fc.record({
    name: fc.constantFrom('1', '2', '3', '3b', '4', '5', '6', '8'),
    passes: fc.constantFrom(0, 0, 0, GAP_MS / 2, GAP_MS),
  }),
  { maxLength: 30 },
);

test('every event continues once, in sequence unless it is late, and none waits longer than a gap', () => {
  fc.assert(
    fc.property(arrivals, (events) => {
      const one = payment();
      const gone: string[] = [];
      for (const { name, passes } of events) {
        gone.push(...one.waits(passes), ...one.comes(name));
      }
      gone.push(...one.waits(GAP_MS));
      const names = gone.map((text) => text.split(' ')[0]);
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(names)).toEqual(new Set(events.map(({ name }) => name)));
      const inSequence = gone
        .filter((text) => !text.includes('late'))
        .map((text) => Number.parseInt(text, 10));
      expect(inSequence).toEqual([...inSequence].sort((a, b) => a - b));
      expect(one.state.early).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
