import { type Circuit, CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import { type Seen, whatWaits } from '../../../../functions/core/ordering/waiting-work.ts';
import { TEN_O_CLOCK_MS as NOW } from '../../../support/builders.ts';

const at = (ms: number) => new Date(NOW + ms).toISOString();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const OPEN: Circuit = {
  ...CLOSED,
  state: 'open',
  since: at(-60 * MINUTE),
  cool_down_ms: 10_000,
  timer_at: at(SECOND),
};
const PROBED: Circuit = { ...CLOSED, state: 'half_open', cool_down_ms: 1, probe_at: at(SECOND), probes: [] };
const DRAINING: Circuit = {
  ...CLOSED,
  state: 'draining',
  since: at(-10 * MINUTE),
  window: 4,
  timer_at: at(SECOND),
};

function seen(what: Partial<Seen>) {
  return whatWaits({ dueAts: [], stuckKeys: 0, circuits: [], ...what }, NOW);
}

test('where nothing waits all is nought', () => {
  expect(seen({})).toEqual({
    oldestDueMs: 0,
    waitingKeys: 0,
    stuckKeys: 0,
    openCircuits: 0,
    drainingCircuits: 0,
    oldestInBacklogMs: 0,
    messagesBehindCircuits: 0,
  });
});

test('an ordering key that waits for a time to come is not due', () => {
  expect(seen({ dueAts: [at(MINUTE), at(20 * MINUTE)] })).toMatchObject({ oldestDueMs: 0, waitingKeys: 2 });
});

test('of the ordering keys whose time is past the oldest counts', () => {
  expect(seen({ dueAts: [at(-SECOND), at(-7 * MINUTE), at(MINUTE)] })).toMatchObject({
    oldestDueMs: 7 * MINUTE,
  });
});

test('what waits behind an open circuit is old, and not overdue', () => {
  const first = { backlogged_at: at(-50 * MINUTE), check_at: at(-50 * MINUTE) };
  expect(seen({ circuits: [{ circuit: OPEN, first }] })).toMatchObject({
    oldestDueMs: 0,
    openCircuits: 1,
    oldestInBacklogMs: 50 * MINUTE,
  });
});

test('a circuit whose timer is overdue counts: nothing probes or drains', () => {
  const circuit = { ...OPEN, timer_at: at(-6 * MINUTE) };
  expect(seen({ circuits: [{ circuit }] })).toMatchObject({
    oldestDueMs: 6 * MINUTE,
    oldestInBacklogMs: 0,
  });
});

test('a long backlog that drains is not overdue: its first ordering key has just been signalled', () => {
  const first = { backlogged_at: at(-50 * MINUTE), check_at: at(2 * MINUTE) };
  expect(seen({ circuits: [{ circuit: DRAINING, first }] })).toMatchObject({
    oldestDueMs: 0,
    drainingCircuits: 1,
    oldestInBacklogMs: 50 * MINUTE,
  });
});

test('a backlog that should drain and does not is overdue since then', () => {
  const backlogged_at = at(-50 * MINUTE);
  const since = (circuit: Circuit, check_at: string) =>
    seen({ circuits: [{ circuit, first: { backlogged_at, check_at } }] }).oldestDueMs;
  expect(since(DRAINING, at(-8 * MINUTE))).toBe(8 * MINUTE);
  // Before the drain began nothing was to signal it.
  expect(since(DRAINING, at(-40 * MINUTE))).toBe(10 * MINUTE);
  expect(since({ ...CLOSED, timer_at: at(SECOND) }, at(-3 * MINUTE))).toBe(3 * MINUTE);
});

test('a circuit that is being probed counts as open, and a closed one with a timer as neither open nor draining', () => {
  const closed: Circuit = { ...CLOSED, timer_at: at(SECOND) };
  const circuits = [OPEN, PROBED, DRAINING, closed].map((circuit) => ({ circuit }));
  expect(seen({ circuits })).toMatchObject({ openCircuits: 2, drainingCircuits: 1 });
});

test('messages behind circuits are those last counted, of circuits that hold them back', () => {
  const backlog = (waiting: number) => ({ backlog_size: { counted_at: at(-MINUTE), waiting } });
  const circuits = [
    { ...OPEN, ...backlog(1_000) },
    { ...PROBED, ...backlog(400) },
    { ...DRAINING, ...backlog(20) },
    { ...CLOSED, ...backlog(3) },
    OPEN,
  ].map((circuit) => ({ circuit }));
  expect(seen({ circuits })).toMatchObject({ messagesBehindCircuits: 1_420 });
});
