import type { SQSRecord } from 'aws-lambda';
import type { Delay } from '../../../functions/adapters/sqs/redelivery-queue.ts';
import { answerBatch, type Work } from '../../../functions/runtime/answer-batch.ts';

const NOW_MS = 1_000_000_000;
const TIME_LIMIT_MS = 20_000;
/** As after three workers of `match` that died. */
const LONG_AGO_MS = NOW_MS - 360_000;

function record(
  messageId: string,
  group: string | undefined,
  receiveCount = 1,
  firstReceivedAtMs = NOW_MS,
): SQSRecord {
  const attributes = {
    MessageGroupId: group,
    ApproximateReceiveCount: String(receiveCount),
    ApproximateFirstReceiveTimestamp: String(firstReceivedAtMs),
  };
  return { messageId, receiptHandle: `receipt of ${messageId}`, attributes } as unknown as SQSRecord;
}

interface Over {
  readonly comeBack?: (delays: readonly Delay[]) => ReadonlySet<string>;
  readonly release?: () => Promise<void>;
  readonly begin?: (recordId: string) => Promise<number>;
}

/** What happens is told in `log`, in order. */
function batch(work: (asked: Work, ids: string[]) => Promise<readonly string[]>, over: Over = {}) {
  const log: string[] = [];
  const errors: unknown[] = [];
  const clock = { nowMs: NOW_MS };
  const answer = async (records: SQSRecord[]) => {
    const { batchItemFailures } = await answerBatch(
      records,
      async (asked) => {
        const ids = asked.records.map(({ messageId }) => messageId);
        log.push(
          `handle ${ids.join(' ')}${asked.killer === undefined ? '' : `, a killer${asked.killer.killsReaders ? ' unread' : ''}`}`,
        );
        return work(asked, ids);
      },
      {
        comeBack: async (delays) => {
          log.push(
            `return ${delays.map(({ receipt, seconds }) => `${receipt.slice(11)}:${seconds}`).join(' ')}`,
          );
          return over.comeBack?.(delays) ?? new Set();
        },
        release: async (receipts) => {
          log.push(`delete ${receipts.map((receipt) => receipt.slice(11)).join(' ')}`.trim());
          await over.release?.();
        },
        suspects: {
          begin: async (recordId, receiveCount) => {
            log.push(`begin ${recordId} ${receiveCount}`);
            return over.begin?.(recordId) ?? 0;
          },
          end: async (recordId, receiveCount) => void log.push(`end ${recordId} ${receiveCount}`),
        },
        internalError: (error) => errors.push(error),
        now: () => clock.nowMs,
        timeLimitMs: TIME_LIMIT_MS,
      },
    );
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  return { answer, log, errors, clock };
}

const BATCH = [record('a1', 'a', 3), record('b1', 'b'), record('a2', 'a'), record('c1', undefined, 2)];

test('failed records are returned in order, and are visible again after seconds', async () => {
  const { answer, log, errors } = batch(async () => ['c1', 'a2', 'a1']);
  expect(await answer(BATCH)).toEqual(['a1', 'a2', 'c1']);
  expect(log).toEqual(['handle a1 b1 a2 c1', 'return a1:4 a2:4 c1:2']);
  expect(errors).toEqual([]);
});

test('work that fails as a whole returns all records and is reported; the handler never throws', async () => {
  const internalError = new Error('no tables');
  const { answer, log, errors } = batch(() => Promise.reject(internalError));
  expect(await answer(BATCH)).toEqual(['a1', 'b1', 'a2', 'c1']);
  expect(log[1]).toBe('return a1:4 b1:1 a2:4 c1:2');
  expect(errors).toEqual([internalError]);
});

test('a batch without failures changes no visibility', async () => {
  const { answer, log } = batch(async () => []);
  expect(await answer(BATCH)).toEqual([]);
  expect(log).toEqual(['handle a1 b1 a2 c1']);
});

test('what is given back while others are under way is made visible then, and not once more at the end', async () => {
  const { answer, log } = batch(async ({ giveBack }) => {
    await giveBack(['b1']);
    log.push('the others end');
    return ['b1', 'c1'];
  });
  expect(await answer(BATCH)).toEqual(['b1', 'c1']);
  expect(log.slice(1)).toEqual(['return b1:1', 'the others end', 'return c1:2']);
});

test('what could not be made visible at once is made visible at the end', async () => {
  let isAway = true;
  const { answer, log } = batch(
    async ({ giveBack }) => {
      await giveBack(['b1']);
      isAway = false;
      return ['b1'];
    },
    { comeBack: (delays) => new Set(isAway ? delays.map(({ receipt }) => receipt) : []) },
  );
  expect(await answer(BATCH)).toEqual(['b1']);
  expect(log.slice(1)).toEqual(['return b1:1', 'return b1:1']);
});

describe('records that may have ended their workers', () => {
  const suspect = (id: string, group: string) => record(id, group, 4, LONG_AGO_MS);

  test('are handled last, one by one, each after the ones before it have left the queue', async () => {
    const { answer, log } = batch(async (_, [id]) => (id === 'k1' ? ['k1'] : []));
    const records = [suspect('k1', 'k'), record('a1', 'a'), suspect('l1', 'l'), record('l2', 'l')];
    expect(await answer(records)).toEqual(['k1']);
    expect(log).toEqual([
      'handle a1',
      'return k1:30 l1:30 l2:30',
      'delete a1',
      'begin k1 4',
      'handle k1',
      'return k1:8',
      'end k1 4',
      'delete',
      'begin l1 4',
      'handle l1',
      'delete l1',
      'handle l2',
    ]);
  });

  test('have nothing of their group handled before them once they are received again', async () => {
    const { answer, log } = batch(async (_, ids) => ids);
    expect(await answer([suspect('k1', 'k'), suspect('k2', 'k')])).toEqual(['k1', 'k2']);
    expect(log.filter((entry) => entry.startsWith('handle'))).toEqual(['handle k1']);
  });

  test.each([
    [2, 'handle k1'],
    [3, 'handle k1, a killer'],
    [4, 'handle k1, a killer unread'],
  ])('are set aside after three deaths, unread after four (%s)', async (deaths, handled) => {
    const { answer, log } = batch(async () => [], { begin: async () => deaths });
    expect(await answer([suspect('k1', 'k')])).toEqual([]);
    expect(log.at(-1)).toBe(handled);
  });

  test.each<[string, Over]>([
    ['that they are begun with cannot be written', { begin: () => Promise.reject(new Error('away')) }],
    ['what is done cannot be deleted', { release: () => Promise.reject(new Error('away')) }],
  ])('are not touched if %s', async (_, over) => {
    const { answer, log, errors } = batch(async () => [], over);
    expect(await answer([record('a1', 'a'), suspect('k1', 'k')])).toEqual(['k1']);
    expect(log.filter((entry) => entry.startsWith('handle'))).toEqual(['handle a1']);
    expect(errors).toEqual([new Error('away')]);
  });

  test('are left to the next worker if this one has little time left', async () => {
    const { answer, log, clock } = batch(async () => {
      clock.nowMs += TIME_LIMIT_MS / 2;
      return [];
    });
    expect(await answer([record('a1', 'a'), suspect('k1', 'k')])).toEqual(['k1']);
    expect(log.slice(1)).toEqual(['return k1:30', 'return k1:8']);
  });

  test('are not those that workers returned again and again, as while the tables are away', async () => {
    const { answer, log } = batch(async () => []);
    // 1 + 2 + 4 + 8 + 16 + 32 + 60 s, and a second each for the call that failed.
    await answer([record('a1', 'a', 8, NOW_MS - 130_000), record('b1', 'b')]);
    expect(log).toEqual(['handle a1 b1']);
  });
});
