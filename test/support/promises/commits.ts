import { randomUUID } from 'node:crypto';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import {
  type BlockedKey,
  type BlockedKeyInput,
  nextBlockedKey,
  withOthersBehind,
} from '../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Commit, OrderingKeyStore } from '../../../functions/core/ordering/ports.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';
import { type PaymentToTest, paymentToTest } from './payment-to-test.ts';

/** Blocked ordering keys and the history, as an engine keeps them. */
export interface Commits {
  readonly commit: OrderingKeyStore['commit'];
  /** An ordering key as it is stored. */
  key(orderingKey: string): Promise<object | undefined>;
  /** The positions of its queued messages, in order. */
  positions(orderingKey: string): Promise<readonly string[]>;
  /** Moves the check of an ordering key. */
  moveCheck(orderingKey: string, from: string, to: string): Promise<unknown>;
  keep(record: MessageRecord): Promise<void>;
  record(messageId: string): Promise<object | undefined>;
}

/** Two workers on one ordering key: each writes according to its own read. */
function workersOn(tables: Commits, { name, key, queued, record }: PaymentToTest) {
  const commit = (over: Pick<Commit, 'known' | 'next'> & Partial<Commit>) =>
    tables.commit({
      ...{ token: randomUUID(), orderingKey: key.waiting.ordering_key },
      ...{ queuedMessages: [], removed: [], outcomes: [] },
      ...over,
    });
  return {
    commit,
    /** Blocks the ordering key with its first message. */
    block: (next: BlockedKey) => commit({ known: undefined, next, queuedMessages: [queued(1)] }),
    /** Queues a later message. */
    add: (known: BlockedKey) =>
      commit({
        known,
        next: withOthersBehind(known),
        isAddition: true,
        queuedMessages: [queued(2)],
        outcomes: [{ record: record(2) }],
      }),
    /** Continues with the first message, the only one that this worker has read. */
    step: (known: BlockedKey, input: BlockedKeyInput) => {
      const context = { nowMs: TEN_O_CLOCK_MS, policy: DELIVERY_POLICY, name };
      return commit({
        known,
        next: nextBlockedKey(known, input, { ...context, oldestSince: known.oldest_since }),
        removed: input.kind === 'emptied' ? [queued(1).position] : [],
      });
    },
  };
}

const STEPS: readonly [string, keyof PaymentToTest['key'], BlockedKeyInput][] = [
  ['frees it', 'waiting', { kind: 'emptied' }],
  ['fails again', 'waiting', { kind: 'attempt_failed', dueAtMs: TEN_O_CLOCK_MS + 60_000 }],
  ['puts it into the backlog', 'waiting', { kind: 'barred' }],
  ['frees it from the backlog', 'inBacklog', { kind: 'emptied' }],
  ['fails a probe', 'inBacklog', { kind: 'probe_failed' }],
  ['hands it over', 'inBacklog', { kind: 'handed_over' }],
  ['finds an internal error', 'inBacklog', { kind: 'got_stuck', explanation: 'no resource' }],
  ['releases it', 'stuck', { kind: 'released' }],
  ['skips its last message', 'stuck', { kind: 'emptied' }],
];

const ENDED = { state: 'succeeded', attempt_count: 1, ended_at: '2026-11-14T10:00:01.000Z' } as const;

/** What every engine promises of commits: conditions, transactions, tokens, and DynamoDB's limits. */
export function commitPromises(open: () => Commits): void {
  const given = () => {
    const tables = open();
    const payment = paymentToTest();
    const { ordering_key } = payment.key.waiting;
    return {
      ...{ tables, payment, ...workersOn(tables, payment) },
      stored: async () => ({
        key: await tables.key(ordering_key),
        positions: await tables.positions(ordering_key),
      }),
    };
  };

  describe('while one worker queues a message in an ordering key, another', () => {
    test.each(STEPS)('%s and is refused: the queued message is not forgotten', async (_, state, input) => {
      const { payment, block, add, step, stored } = given();
      const key = payment.key[state];
      await block(key);
      expect(await add(key)).toBe('written');
      expect(await step(key, input)).toBe('overtaken');
      expect(await stored()).toEqual({
        key: expect.objectContaining({ state: key.state, revision: key.revision + 1 }),
        positions: [payment.queued(1).position, payment.queued(2).position],
      });
    });

    test.each(STEPS)('%s first: then the message is refused, and returns', async (_, state, input) => {
      const { tables, payment, block, add, step, stored } = given();
      const key = payment.key[state];
      await block(key);
      expect(await step(key, input)).toBe('written');
      expect(await add(key)).toBe('overtaken');
      expect((await stored()).positions).not.toContain(payment.queued(2).position);
      expect(await tables.record(payment.record(2).message_id)).toBeUndefined();
    });

    test('queues another at the same moment: one of them is refused', async () => {
      const { payment, block, add, stored } = given();
      await block(payment.key.waiting);
      const both = await Promise.all([add(payment.key.waiting), add(payment.key.waiting)]);
      expect(both.sort()).toEqual(['overtaken', 'written']);
      expect((await stored()).positions).toHaveLength(2);
    });
  });

  describe('after the faster of two workers has recorded how a message ended', () => {
    test('the slower one, with another result, is refused and reads again', async () => {
      const { tables, payment, commit, stored } = given();
      const ended = payment.record(1, ENDED);
      await tables.keep(ended);
      const retrying = payment.record(1, { state: 'retrying', attempt_count: 1 });
      const slower = {
        ...{ known: undefined, next: payment.key.waiting },
        ...{ queuedMessages: [payment.queued(1)], outcomes: [{ record: retrying }] },
      };
      expect(await commit(slower)).toBe('overtaken');
      expect(await tables.record(ended.message_id)).toMatchObject(ENDED);
      expect(await stored()).toEqual({ key: undefined, positions: [] });
    });

    test('the message continues when it is sent again on request', async () => {
      const { tables, payment, commit } = given();
      await tables.keep(payment.record(1, ENDED));
      const outcomes = [{ record: payment.record(1, { late: true }) }];
      expect(
        await commit({
          known: undefined,
          next: payment.key.waiting,
          outcomes,
          queuedMessages: [payment.queued(1)],
        }),
      ).toBe('written');
    });
  });

  test('a body that was erased meanwhile does not come back', async () => {
    const { tables, payment, commit } = given();
    const { resource: _, ...erased } = payment.record(1, { body_erased_at: '2026-11-14T10:00:00.000Z' });
    await tables.keep(erased);
    const outcomes = [{ record: payment.record(1) }];
    expect(await commit({ known: undefined, next: payment.key.waiting, outcomes })).toBe('overtaken');
    expect(await tables.record(erased.message_id)).not.toHaveProperty('resource');
  });

  test('an added message is seen by the next read', async () => {
    const { payment, block, add, commit, stored } = given();
    await block(payment.key.waiting);
    await add(payment.key.waiting);
    const known = withOthersBehind(payment.key.waiting);
    const removed = [payment.queued(1).position, payment.queued(2).position];
    expect(await commit({ known, next: undefined, removed })).toBe('written');
    expect(await stored()).toEqual({ key: undefined, positions: [] });
  });

  test('adding keeps a check that was moved meanwhile', async () => {
    const { tables, payment, block, add, stored } = given();
    const { inBacklog } = payment.key;
    await block(inBacklog);
    const moved = '2026-11-14T10:02:00.000Z';
    await tables.moveCheck(inBacklog.ordering_key, inBacklog.check_at, moved);
    await add(inBacklog);
    expect((await stored()).key).toMatchObject({
      check_at: moved,
      revision: inBacklog.revision + 1,
      backlogged_at: inBacklog.backlogged_at,
    });
  });

  test('a commit repeated after a lost response is written once', async () => {
    const { payment, block, commit, stored } = given();
    const { waiting } = payment.key;
    await block(waiting);
    const addition = {
      ...{ token: randomUUID(), known: waiting, next: withOthersBehind(waiting), isAddition: true },
      queuedMessages: [payment.queued(2)],
      ...{ orderingKey: waiting.ordering_key, removed: [], outcomes: [] },
    };
    expect([await commit(addition), await commit(addition)]).toEqual(['written', 'written']);
    expect(await stored()).toMatchObject({ key: { revision: waiting.revision + 1 } });
  });

  test('of two workers that block an ordering key, one is refused', async () => {
    const { payment, block } = given();
    expect([await block(payment.key.waiting), await block(payment.key.inBacklog)]).toEqual([
      'written',
      'overtaken',
    ]);
  });

  test('an ordering key that was freed and blocked again is not mistaken for the earlier one', async () => {
    const { payment, commit, stored } = given();
    const context = (nowMs: number) => ({
      ...{ nowMs, policy: DELIVERY_POLICY, name: payment.name },
      oldestSince: '2026-11-14T10:00:00.000Z',
    });
    const first = nextBlockedKey(undefined, { kind: 'barred' }, context(TEN_O_CLOCK_MS));
    await commit({ known: undefined, next: first, queuedMessages: [payment.queued(1)] });
    const freed = { next: undefined, removed: [payment.queued(1).position] };
    await commit({ known: first, ...freed });
    const second = nextBlockedKey(undefined, { kind: 'barred' }, context(TEN_O_CLOCK_MS + 500));
    await commit({ known: undefined, next: second, queuedMessages: [payment.queued(2)] });
    expect(await commit({ known: first, ...freed })).toBe('overtaken');
    expect(await stored()).toMatchObject({ positions: [payment.queued(2).position] });
  });

  test('a message that is removed and queued in one step stays', async () => {
    const { payment, block, commit, stored } = given();
    const { waiting } = payment.key;
    await block(waiting);
    const again = { ...payment.queued(1), failed_attempts: 1 };
    const next = withOthersBehind(waiting);
    expect(await commit({ known: waiting, next, queuedMessages: [again], removed: [again.position] })).toBe(
      'written',
    );
    expect((await stored()).positions).toEqual([again.position]);
  });

  test('a commit may make a hundred writes', async () => {
    const { payment, commit, stored } = given();
    const queuedMessages = Array.from({ length: 99 }, (_, index) => payment.queued(index));
    expect(await commit({ known: undefined, next: payment.key.waiting, queuedMessages })).toBe('written');
    expect((await stored()).key).toBeDefined();
  });

  test('and no more: it is refused whole', async () => {
    const { payment, commit, stored } = given();
    const queuedMessages = Array.from({ length: 100 }, (_, index) => payment.queued(index));
    await expect(commit({ known: undefined, next: payment.key.waiting, queuedMessages })).rejects.toThrow(
      '101 writes, of at most 100',
    );
    expect(await stored()).toEqual({ key: undefined, positions: [] });
  });
}
