import { orderingKeyCommitter } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import {
  type BlockedKey,
  type BlockedKeyInput,
  nextBlockedKey,
  withMoreBehind,
} from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Commit } from '../../../../functions/core/ordering/ports.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { FAULT, IN_BACKLOG, queuedMessage, record, WAITING } from './blocked-ordering-keys.ts';
import { memoryTables } from './memory-tables.ts';

const KEY = 'sub_1.pay-1';
const NAME = { service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay-1' };
const item = (number: number) => `pointer#${queuedMessage(number).place}`;

/** Two workers on one ordering key: each writes according to its own read. */
function workers() {
  const { client, items, keyItems } = memoryTables();
  const write = orderingKeyCommitter(client, { keys: 'keys', history: 'history' }, 90);
  let tokens = 0;
  const commit = (over: Pick<Commit, 'known' | 'next'> & Partial<Commit>) => {
    tokens += 1;
    const empty = { queuedMessages: [], removed: [], outcomes: [] };
    return write({ token: `token-${tokens}`, orderingKey: KEY, ...empty, ...over });
  };
  return {
    items,
    keyItems,
    commit,
    /** Blocks the ordering key with its first message. */
    block: (next: BlockedKey) => commit({ known: undefined, next, queuedMessages: [queuedMessage(1)] }),
    /** Queues a later message. */
    add: (known: BlockedKey) =>
      commit({
        known,
        next: withMoreBehind(known),
        isAddition: true,
        queuedMessages: [queuedMessage(2)],
        outcomes: [{ record: record(2) }],
      }),
    /** Continues with the first message, the only one that this worker has read. */
    step: (known: BlockedKey, input: BlockedKeyInput) => {
      const context = { nowMs: TEN_O_CLOCK_MS, policy: DELIVERY_POLICY, name: NAME };
      return commit({
        known,
        next: nextBlockedKey(known, input, { ...context, oldestSince: known.oldest_since }),
        removed: input.kind === 'emptied' ? [queuedMessage(1).place] : [],
      });
    },
  };
}

const steps: [string, BlockedKey, BlockedKeyInput][] = [
  ['frees it', WAITING, { kind: 'emptied' }],
  ['fails again', WAITING, { kind: 'attempt_failed', dueAtMs: TEN_O_CLOCK_MS + 60_000 }],
  ['puts it into the backlog', WAITING, { kind: 'barred' }],
  ['frees it from the backlog', IN_BACKLOG, { kind: 'emptied' }],
  ['fails a probe', IN_BACKLOG, { kind: 'probe_failed' }],
  ['hands it over', IN_BACKLOG, { kind: 'handed_over' }],
  ['finds an internal error', IN_BACKLOG, { kind: 'faulted', explanation: 'no resource' }],
  ['releases it', FAULT, { kind: 'released' }],
  ['skips its last message', FAULT, { kind: 'emptied' }],
];

describe('while one worker queues a message in an ordering key, another', () => {
  test.each(steps)('%s and is refused: the queued message is not forgotten', async (_, key, input) => {
    const { block, add, step, keyItems } = workers();
    await block(key);
    expect(await add(key)).toBe('written');
    expect(await step(key, input)).toBe('overtaken');
    expect(keyItems()).toEqual(['key', item(1), item(2)]);
  });

  test.each(steps)('%s first: then the message is refused, and returns', async (_, key, input) => {
    const { block, add, step, keyItems, items } = workers();
    await block(key);
    expect(await step(key, input)).toBe('written');
    expect(await add(key)).toBe('overtaken');
    expect(keyItems()).not.toContain(item(2));
    expect([...items.keys()].filter((name) => name.startsWith('history'))).toEqual([]);
  });

  test('queues another: one of them is refused', async () => {
    const { block, add, keyItems } = workers();
    await block(WAITING);
    expect([await add(WAITING), await add(WAITING)]).toEqual(['written', 'overtaken']);
    expect(keyItems()).toEqual(['key', item(1), item(2)]);
  });
});

describe('after the faster of two workers has recorded how a message ended', () => {
  const ENDED = record(1, { state: 'succeeded', attempt_count: 1, ended_at: '2026-11-14T10:00:01.000Z' });
  const retrying = record(1, { state: 'retrying', attempt_count: 1 });

  test('the slower one, with another result, is refused and reads again', async () => {
    const { commit, items, keyItems } = workers();
    items.set(`history ${ENDED.message_id} message`, { ...ENDED });
    const late = {
      known: undefined,
      next: WAITING,
      queuedMessages: [queuedMessage(1)],
      outcomes: [{ record: retrying }],
    };
    expect(await commit(late)).toBe('overtaken');
    expect(items.get(`history ${ENDED.message_id} message`)).toEqual(ENDED);
    expect(keyItems()).toEqual([]);
  });

  test('the message continues when it is sent again on request', async () => {
    const { commit, items } = workers();
    items.set(`history ${ENDED.message_id} message`, { ...ENDED });
    const asked = record(1, { late: true });
    expect(await commit({ known: undefined, next: WAITING, outcomes: [{ record: asked }] })).toBe('written');
  });
});

test('an added message is seen by the next read', async () => {
  const { block, add, commit, keyItems } = workers();
  await block(WAITING);
  await add(WAITING);
  const known = withMoreBehind(WAITING);
  const removed = [queuedMessage(1).place, queuedMessage(2).place];
  expect(await commit({ known, next: undefined, removed })).toBe('written');
  expect(keyItems()).toEqual([]);
});

test('adding keeps a check that was moved meanwhile', async () => {
  const { block, add, items } = workers();
  await block(IN_BACKLOG);
  const moved = '2026-11-14T10:02:00.000Z';
  items.set(`keys ${KEY} key`, { ...items.get(`keys ${KEY} key`), check_at: moved });
  await add(IN_BACKLOG);
  expect(items.get(`keys ${KEY} key`)).toMatchObject({
    check_at: moved,
    revision: 4,
    line: 'sub_1',
    parked_at: IN_BACKLOG.parked_at,
  });
});

test('an addition repeated after a lost response is written once', async () => {
  const { block, commit, keyItems } = workers();
  await block(WAITING);
  const next = withMoreBehind(WAITING);
  const addition = {
    token: 'again',
    known: WAITING,
    next,
    isAddition: true,
    queuedMessages: [queuedMessage(2)],
  };
  expect([await commit(addition), await commit(addition)]).toEqual(['written', 'written']);
  expect(keyItems()).toEqual(['key', item(1), item(2)]);
});

test('of two workers that block an ordering key, one is refused', async () => {
  const { block } = workers();
  expect([await block(WAITING), await block(IN_BACKLOG)]).toEqual(['written', 'overtaken']);
});

test('an ordering key that was freed and blocked again is not mistaken for the earlier one', async () => {
  const { commit, keyItems } = workers();
  const context = (nowMs: number) => ({
    nowMs,
    policy: DELIVERY_POLICY,
    name: NAME,
    oldestSince: '2026-11-14T10:00:00.000Z',
  });
  const first = nextBlockedKey(undefined, { kind: 'barred' }, context(TEN_O_CLOCK_MS));
  await commit({ known: undefined, next: first, queuedMessages: [queuedMessage(1)] });
  await commit({ known: first, next: undefined, removed: [queuedMessage(1).place] });
  const second = nextBlockedKey(undefined, { kind: 'barred' }, context(TEN_O_CLOCK_MS + 500));
  await commit({ known: undefined, next: second, queuedMessages: [queuedMessage(2)] });
  expect(await commit({ known: first, next: undefined, removed: [queuedMessage(1).place] })).toBe(
    'overtaken',
  );
  expect(keyItems()).toEqual(['key', item(2)]);
});
