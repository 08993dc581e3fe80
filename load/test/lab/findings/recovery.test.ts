import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import { type RecoveryInput, recoveries } from '../../../lab/findings/recovery.ts';
import type { PartnerGroup } from '../../../lab/partners/partner-groups.ts';
import { expectedMessage } from '../../builders.ts';

const START_MS = Date.parse(at(0));
const BACK_MS = 20_000;
const LAST_SENT_MS = 40_000;

const partners = (name: string): PartnerGroup => ({
  name,
  services: 1,
  receiver: {},
  subscription: {},
  changes: [],
});

interface Sent {
  readonly name: string;
  readonly group: string;
  readonly sentMs: number;
  /** Absent: never. */
  readonly acceptedMs?: number;
  readonly heldMs?: number;
}

/** An outage of each group until `BACK_MS`, and what was sent meanwhile and after it. */
function recovered(sent: readonly Sent[], given: Partial<RecoveryInput> = {}) {
  const groups = [...new Set(sent.map(({ group }) => group))];
  return recoveries({
    facts: {
      expected: sent.map(({ name, group, sentMs }) =>
        expectedMessage(name, { group, paymentId: name, sentAtMs: START_MS + sentMs }),
      ),
      recorded: new Map(
        sent.map(({ name, heldMs }) => [
          `msg_${name}`,
          summaryOf(name, {
            admitted_at: at(0),
            time_to_send_ms: 10,
            ...(heldMs === undefined ? {} : { held_ms: heldMs }),
          }),
        ]),
      ),
      acceptedAtMs: new Map(
        sent.flatMap(({ name, acceptedMs }) =>
          acceptedMs === undefined ? [] : [[`msg_${name}`, START_MS + acceptedMs] as const],
        ),
      ),
      attempts: new Map(),
      receipts: [],
      orderingWaitMs: new Map(),
    },
    groups: groups.map(partners),
    changed: groups.flatMap((group) => [
      { group, change: { receiver: { failure_rate: 1 } }, atMs: START_MS },
      { group, change: { receiver: {} }, atMs: START_MS + BACK_MS },
    ]),
    lastSentAtMs: START_MS + LAST_SENT_MS,
    isRefused: ({ paymentId }) => paymentId.endsWith('refused'),
    circuits: new Map(groups.map((group) => [group, { states: { closed: 1 }, opened: 1 }])),
    options: { compared_with: 'none', targets: ['drain_rate', 'closed'] },
    ...given,
  });
}

/**
 * A backlog at the endpoint's recovery, accepted at a fixed interval. Messages whose number is divisible are
 * refused.
 */
function backlog(group: string, count: number, everyMs: number, refusesEach = Number.POSITIVE_INFINITY) {
  return Array.from({ length: count }, (_, index): Sent => {
    const isRefused = (index + 1) % refusesEach === 0;
    return {
      name: `${group}${index}${isRefused ? 'refused' : ''}`,
      group,
      sentMs: index,
      ...(isRefused ? {} : { acceptedMs: BACK_MS + (index + 1) * everyMs }),
    };
  });
}

test('the time until all others are delivered ignores permanently refused messages', () => {
  const some = recovered([
    { name: 'a', group: 'some', sentMs: 39_000, acceptedMs: 43_500 },
    { name: 'b-refused', group: 'some', sentMs: 39_500 },
  ]).get('some');
  expect(some).toMatchObject({ refused: 1, others: 1, others_delivered: 1, all_after_ms: 3_500 });
  expect(some?.delivered_meanwhile).toBe(0);
});

test('deliveries before the last event count as 0 ms after it', () => {
  const none = recovered([{ name: 'a', group: 'none', sentMs: 100, acceptedMs: 39_000 }]).get('none');
  expect(none).toMatchObject({ all_after_ms: 0, delivered_meanwhile: 1 });
});

test('without all others delivered there is no time for it', () => {
  const one = recovered([{ name: 'a', group: 'none', sentMs: 100 }]).get('none');
  expect(one).toMatchObject({ others: 1, others_delivered: 0 });
  expect(one).not.toHaveProperty('all_after_ms');
});

test('the wait before the first attempt in the last ten seconds includes the time held, and no earlier message', () => {
  const some = recovered([
    { name: 'a', group: 'none', sentMs: 30_001, acceptedMs: 31_000, heldMs: 800 },
    { name: 'b', group: 'none', sentMs: 29_999, acceptedMs: 31_000, heldMs: 90_000 },
    { name: 'c-refused', group: 'none', sentMs: 35_000, heldMs: 70_000 },
  ]).get('none');
  expect(some?.last_seconds).toMatchObject({ count: 1, p50: 810 });
});

test('an endpoint that refuses some messages but is as fast has the same drain rate', () => {
  const all = recovered([...backlog('none', 100, 10), ...backlog('some', 100, 10, 5)]);
  expect(all.get('none')).toMatchObject({ found_after_ms: 10, drain_per_second: 101.1 });
  expect(all.get('some')?.drain_per_second).toBeCloseTo(100, -1);
  expect(all.get('some')?.drain_ratio).toBeCloseTo(1, 1);
});

test('an endpoint that takes twice as long for its backlog has half the rate', () => {
  const all = recovered([...backlog('none', 100, 10), ...backlog('slow', 100, 20)]);
  expect(all.get('slow')?.drain_ratio).toBe(0.5);
});

test('a recovery noticed later does not lower the drain rate', () => {
  const late = backlog('late', 100, 10).map((sent) => ({
    ...sent,
    acceptedMs: (sent.acceptedMs ?? 0) + 5_000,
  }));
  const all = recovered([...backlog('none', 100, 10), ...late]);
  expect(all.get('late')).toMatchObject({ found_after_ms: 5_010, drain_ratio: 1 });
});

test('a single message has no drain rate', () => {
  const all = recovered(backlog('none', 1, 10));
  expect(all.get('none')).toMatchObject({ found_after_ms: 10 });
  expect(all.get('none')).not.toHaveProperty('drain_per_second');
});

test('an endpoint that was never down has no drain rate', () => {
  const flapping = recovered([{ name: 'a', group: 'none', sentMs: 1, acceptedMs: 9 }], { changed: [] });
  expect(flapping.get('none')).not.toHaveProperty('drain_per_second');
});

test('the reference group has no targets', () => {
  const all = recovered([...backlog('none', 10, 10), ...backlog('some', 10, 10)]);
  expect(all.get('none')).toMatchObject({ targets: [], opened: 1, circuits: { closed: 1 } });
  expect(all.get('none')).not.toHaveProperty('drain_ratio');
  expect(all.get('some')?.targets).toEqual(['drain_rate', 'closed']);
});
