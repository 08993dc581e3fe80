import type { BacklogView, Circuit } from '../../../../../functions/core/circuit/circuit.ts';
import { answers, step, succeeded, timerFired } from '../given/circuit-inputs.ts';
import { at, closed, draining } from '../given/circuits.ts';

const TEN = '2026-11-14T10:00:00.000Z';

/** An ordering key blocked at this many seconds after ten. */
const inBacklog = (seconds: number, isInHand = false): BacklogView => ({
  keys: [{ key: 'a', backloggedAtMs: at(seconds), isInHand }],
});

describe('quiet', () => {
  test('begins when nothing in the backlog is older than two seconds, and ends when something is', () => {
    const quiet = step(draining(), timerFired([], { backlog: inBacklog(28) }));
    expect(quiet).toMatchObject({ quiet_since: '2026-11-14T10:00:30.000Z' });
    expect(step(quiet, timerFired(), 31)).toMatchObject({ quiet_since: '2026-11-14T10:00:30.000Z' });
    expect(step(quiet, timerFired([], { backlog: inBacklog(28) }), 31)).not.toHaveProperty('quiet_since');
  });

  test('is not ended by an ordering key in hand: it waits for its endpoint, not for its turn', () => {
    const quiet = draining({ quiet_since: TEN });
    expect(step(quiet, timerFired([], { backlog: inBacklog(0, true) }))).toMatchObject({ quiet_since: TEN });
  });

  test('does not begin while more ordering keys are in hand than allowed: those behind them cannot be seen', () => {
    const view = (count: number, seconds: number): BacklogView => ({
      keys: Array.from({ length: count }, (_, n) => ({
        key: `k${n}`,
        backloggedAtMs: at(seconds),
        isInHand: true,
      })),
    });
    const quiet = draining({ window: 2, quiet_since: TEN });
    expect(step(quiet, timerFired([], { backlog: view(2, 0) }))).toMatchObject({ quiet_since: TEN });
    expect(step(quiet, timerFired([], { backlog: view(3, 0) }))).not.toHaveProperty('quiet_since');
    expect(step(quiet, timerFired([], { backlog: view(3, 28) }))).toMatchObject({ quiet_since: TEN });
  });

  test('closes the circuit after a minute, and the timer continues', () => {
    const quiet = draining({ quiet_since: TEN, cool_down_ms: 8_000, failed_in_a_row: 2 });
    expect(step(quiet, timerFired(), 59.999)).toMatchObject({ state: 'draining' });
    expect(step(quiet, timerFired(), 60)).toEqual({
      state: 'closed',
      revision: 8,
      generation: 4,
      timer_at: '2026-11-14T10:01:01.000Z',
      since: '2026-11-14T10:01:00.000Z',
      failed_ordering_keys: [],
    });
  });

  test('closes a circuit that was merely crowded after five seconds', () => {
    const quiet = draining({ quiet_since: TEN, cause: 'crowded' });
    expect(step(quiet, timerFired(), 4.999)).toMatchObject({ state: 'draining' });
    expect(step(quiet, timerFired(), 5)).toMatchObject({ state: 'closed' });
  });

  test('keeps a run of failures that counts towards five days', () => {
    const failing = draining({ quiet_since: TEN, failing_since: TEN });
    expect(step(failing, timerFired(), 60)).toMatchObject({ state: 'closed', failing_since: TEN });
    const saved = step(failing, timerFired([], { answers: answers({ succeeded: 1 }) }), 60);
    expect(saved).not.toHaveProperty('failing_since');
  });

  test('does not close a circuit in which everything fails: it opens', () => {
    const quiet = draining({ quiet_since: TEN });
    expect(step(quiet, timerFired([], { answers: answers({ unwell: 20 }) }), 60).state).toBe('open');
  });
});

describe('the drain of a deleted subscription', () => {
  test('ends at once when the backlog is empty', () => {
    const next = step(draining({ window: 100 }), timerFired([], { isDeleted: true }));
    expect(next).toMatchObject({ state: 'closed', timer_at: '2026-11-14T10:00:31.000Z' });
  });

  test('continues with the widest window until it is, whatever the answers', () => {
    const gone = draining({ quiet_since: TEN });
    const input = {
      isDeleted: true,
      answers: answers({ unwell: 500 }),
      drains: 2_000,
      slow: { own: 9, all: 999 },
    };
    const next = step(gone, timerFired(['a'], input), 60);
    expect(next).toMatchObject({ state: 'draining', window: 100, timer_at: '2026-11-14T10:01:01.000Z' });
    expect(next).not.toHaveProperty('waits_for_room');
  });
});

describe('after a drain', () => {
  const just = closed({ since: TEN, generation: 9, timer_at: TEN });

  /**
   * The pauses between the timers of a circuit that closed a second before the first one, in ms, until there
   * are no more.
   */
  function sleeps(): number[] {
    const found: number[] = [];
    let nowMs = 1_000;
    let circuit: Circuit = step(just, timerFired(), nowMs / 1_000);
    while (circuit.timer_at !== undefined) {
      const nextMs = Date.parse(circuit.timer_at) - at(0);
      found.push(nextMs - nowMs);
      nowMs = nextMs;
      circuit = step(circuit, timerFired(), nowMs / 1_000);
    }
    return found;
  }

  test('the timer continues, less and less often, until an hour later the backlog is empty', () => {
    const found = sleeps();
    expect(found.slice(0, 8)).toEqual([1_000, 1_000, 1_500, 2_250, 3_375, 5_063, 7_594, 11_391]);
    expect(Math.max(...found)).toBe(300_000);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(1_000 + found.reduce((sum, sleep) => sum + sleep, 0)).toBeGreaterThanOrEqual(3_600_000);
    expect(found.length).toBeLessThanOrEqual(30);
  });

  test('an empty backlog an hour later ends it', () => {
    expect(step(just, timerFired(), 3_599.999).timer_at).toBe('2026-11-14T11:04:59.999Z');
    expect(step(just, timerFired(), 3_600)).toEqual(closed({ revision: 1, since: TEN, generation: 10 }));
  });

  test('it fires each second while the backlog is not empty', () => {
    expect(step(just, timerFired(['a']), 600).timer_at).toBe('2026-11-14T10:10:01.000Z');
    expect(step(just, timerFired(['a']), 7_200).timer_at).toBe('2026-11-14T12:00:01.000Z');
  });

  test('it fires at least each minute while many waiting messages were reported', () => {
    const backlog = { counted_at: TEN, waiting: 1_000, since: TEN };
    const many = { ...just, backlog_size: backlog };
    expect(step(many, timerFired([], { waiting: 800 }), 600).timer_at).toBe('2026-11-14T10:11:00.000Z');
    expect(step(many, timerFired([], { waiting: 800 }), 7_200).timer_at).toBe('2026-11-14T12:01:00.000Z');
  });

  test('with a rate limit it never ends', () => {
    expect(step(just, timerFired([], { isLimited: true }), 7_200).timer_at).toBe('2026-11-14T12:00:30.000Z');
    expect(step(just, timerFired(['a'], { isLimited: true }), 7_200).timer_at).toBe(
      '2026-11-14T12:00:01.000Z',
    );
  });

  test('a success does not change it', () => {
    expect(step(just, succeeded('a'))).toBe(just);
  });
});
