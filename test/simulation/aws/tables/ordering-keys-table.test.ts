import type { BlockedKey, QueuedMessage } from '../../../../functions/core/ordering/blocked-ordering-key.ts';
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
  state: 'backlogged',
  backlogged_at: '2026-11-14T10:00:00.000Z',
  check_at: '2026-11-14T10:00:00.000Z',
  age_check_at: '2026-11-17T14:00:00.000Z',
};
const queuedMessage: QueuedMessage = {
  ordering_key: KEY,
  position: '1',
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

test('an ordering key without queued messages is reported, and queued messages without one', () => {
  const { keys, commit } = table();
  commit({});
  commit({ known: inBacklog, next: undefined, queuedMessages: [] });
  expect(keys.inconsistencies).toEqual([`${KEY} has 1 queued messages and is free`]);
});
