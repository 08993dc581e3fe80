import {
  type BlockedKey,
  type QueuedMessage,
  withMoreBehind,
} from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Commit } from '../../../../functions/core/ordering/ports.ts';
import { HistoryTable } from './history-table.ts';
import { OrderingKeysTable } from './ordering-keys-table.ts';

const LAG_MS = 50;
const KEY = 'sub_1.pay-1';
const inBacklog: BlockedKey = {
  ordering_key: KEY,
  service_id: 'bakery',
  subscription_id: 'sub_1',
  payment_id: 'pay-1',
  revision: 1,
  oldest_since: '2026-11-14T10:00:00.000Z',
  state: 'in_line',
  parked_at: '2026-11-14T10:00:00.000Z',
  check_at: '2026-11-14T10:00:00.000Z',
};
const queuedMessage: QueuedMessage = {
  ordering_key: KEY,
  place: '1',
  message_id: 'msg_1',
  since: '2026-11-14T10:00:00.000Z',
  failed_attempts: 0,
};

function table() {
  const clock = { nowMs: 0 };
  const now = () => clock.nowMs;
  const keys = new OrderingKeysTable({
    now,
    lagMs: () => LAG_MS,
    history: new HistoryTable({ now }),
  });
  let tokens = 0;
  const commit = (over: Partial<Commit>) => {
    tokens += 1;
    return keys.commit({
      token: `token-${tokens}`,
      orderingKey: KEY,
      known: undefined,
      next: inBacklog,
      queuedMessages: [queuedMessage],
      removed: [],
      outcomes: [],
      ...over,
    });
  };
  return { clock, keys, commit };
}

test('a stale writer is overtaken, and writes nothing', () => {
  const { keys, commit } = table();
  expect(commit({})).toBe('written');
  expect(commit({ queuedMessages: [{ ...queuedMessage, place: '2' }] })).toBe('overtaken');
  expect(keys.waitingIn(KEY).waiting).toHaveLength(1);
  expect(commit({ known: inBacklog, next: undefined, queuedMessages: [], removed: ['1'] })).toBe('written');
  expect(keys.keys.size).toBe(0);
});

test('an addition overtakes a worker that saw nothing else wait, and leaves a moved check where it is', () => {
  const { keys, commit } = table();
  commit({});
  const later = '2026-11-14T10:02:00.000Z';
  keys.moveCheck(KEY, inBacklog.check_at, later);
  const addition = {
    known: inBacklog,
    next: withMoreBehind(inBacklog),
    isAddition: true,
    queuedMessages: [{ ...queuedMessage, place: '2', message_id: 'msg_2' }],
  };
  expect(commit(addition)).toBe('written');
  expect(commit({ known: inBacklog, next: undefined, queuedMessages: [], removed: ['1'] })).toBe('overtaken');
  expect(keys.keys.get(KEY)).toEqual({ ...inBacklog, revision: 2, check_at: later });
  expect(keys.waitingIn(KEY).waiting).toHaveLength(2);
});

test('a commit that is retried is written once', () => {
  const { keys } = table();
  const commit = {
    token: 'one',
    orderingKey: KEY,
    known: undefined,
    next: inBacklog,
    queuedMessages: [queuedMessage],
    removed: [],
    outcomes: [],
  };
  expect([keys.commit(commit), keys.commit(commit)]).toEqual(['written', 'written']);
});

test('the backlog shows an ordering key some time after it was written, and for as long after it was deleted', () => {
  const { clock, keys, commit } = table();
  const backlog = () => keys.backlog('sub_1', 10).map(({ ordering_key }) => ordering_key);
  commit({});
  expect(backlog()).toEqual([]);
  clock.nowMs += LAG_MS;
  expect(backlog()).toEqual([KEY]);
  commit({ known: inBacklog, next: undefined, queuedMessages: [], removed: ['1'] });
  expect(backlog()).toEqual([KEY]);
  clock.nowMs += LAG_MS;
  expect(backlog()).toEqual([]);
});

test('of two workers that read the same check, one moves it', () => {
  const { keys, commit } = table();
  commit({});
  const later = '2026-11-14T10:02:00.000Z';
  expect(keys.moveCheck(KEY, inBacklog.check_at, later)).toBe(true);
  expect(keys.moveCheck(KEY, inBacklog.check_at, '2026-11-14T10:02:00.001Z')).toBe(false);
  expect(keys.moveCheck('sub_1.pay-2', inBacklog.check_at, later)).toBe(false);
});

test('an ordering key in a backlog is found by its age, and one of two workers moves that check', () => {
  const { clock, keys, commit } = table();
  const age_check_at = '2026-11-17T14:00:00.000Z';
  const later = '2026-11-17T14:02:00.000Z';
  const found = () => keys.aging().map((key) => key.age_check_at);
  commit({ next: { ...inBacklog, age_check_at } });
  clock.nowMs += LAG_MS;
  expect(found()).toEqual([age_check_at]);
  expect(keys.moveAgeCheck(KEY, age_check_at, later)).toBe(true);
  expect(keys.moveAgeCheck(KEY, age_check_at, '2026-11-17T14:02:00.001Z')).toBe(false);
  clock.nowMs += LAG_MS;
  expect(found()).toEqual([later]);
  commit({ known: inBacklog, next: undefined, queuedMessages: [], removed: ['1'] });
  clock.nowMs += LAG_MS;
  expect(found()).toEqual([]);
});

test('an ordering key without queued messages is reported, and queued messages without one', () => {
  const { keys, commit } = table();
  commit({});
  commit({ known: inBacklog, next: undefined, queuedMessages: [] });
  expect(keys.inconsistencies).toEqual([`${KEY} has 1 queued messages and is free`]);
});
