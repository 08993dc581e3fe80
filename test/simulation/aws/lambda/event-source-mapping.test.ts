import type { SQSBatchResponse } from 'aws-lambda';
import { Dice } from '../../../support/dice.ts';
import { VirtualClock } from '../../clock/virtual-clock.ts';
import { Faults, NO_FAULTS } from '../../faults.ts';
import type { Invocation } from '../../workers/invocation.ts';
import { FifoQueue } from '../queues/fifo-queue.ts';
import type { Received } from '../queues/queue-record.ts';
import { EventSourceMapping } from './event-source-mapping.ts';

type Worker = (records: readonly Received[], invocation: Invocation) => Promise<SQSBatchResponse>;

const TIMEOUT_MS = 60_000;
const done = (...failed: string[]) => ({
  batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })),
});

/** A mapping that feeds the worker from a queue with one record of each of these groups. */
function fed(worker: Worker, groups: readonly string[], maxConcurrency = 2) {
  const clock = new VirtualClock(0);
  const dice = new Dice(1);
  const queue = new FifoQueue(clock, { name: 'q', visibilityMs: 90_000 });
  const around = {
    clock,
    dice,
    faults: new Faults(NO_FAULTS, dice, () => 0),
    behindMs: () => 0,
    asked: [],
    hurried: [],
    invocations: [],
    pinged: [],
    newId: () => 'id',
    tell: () => {},
  };
  const mapping = new EventSourceMapping(
    { name: 'worker', queue, maxConcurrency, visibilityMs: 90_000, timeoutMs: TIMEOUT_MS, worker },
    around,
  );
  for (const group of groups) {
    queue.send({ group, body: group });
  }
  return { clock, queue, mapping };
}

test('records reported as failed stay, the others are deleted', async () => {
  const { clock, queue } = fed(
    async (records) => done(...records.map(({ id }) => id).slice(1)),
    ['a', 'b', 'c'],
  );
  await clock.run(1_000);
  expect(queue.records.map(({ group }) => group)).toEqual(['b', 'c']);
});

test('an unknown id fails the whole batch, and so does a throw', async () => {
  const unknown = fed(async () => done('somebody'), ['a', 'b']);
  await unknown.clock.run(1_000);
  expect(unknown.queue.records).toHaveLength(2);
  const thrown = fed(() => Promise.reject(new Error('broken')), ['a', 'b']);
  await thrown.clock.run(1_000);
  expect(thrown.queue.records).toHaveLength(2);
});

test('a failed batch is received again after its visibility timeout', async () => {
  const instants: number[] = [];
  const { clock, queue } = fed(
    async (records, { startedAtMs }) => {
      instants.push(startedAtMs);
      return records[0]?.receiveCount === 1 ? Promise.reject(new Error('broken')) : done();
    },
    ['a'],
  );
  await clock.run(200_000);
  expect(queue.records).toEqual([]);
  expect(instants).toHaveLength(2);
  expect(instants[1]! - instants[0]!).toBeGreaterThanOrEqual(90_000);
  expect(instants[1]! - instants[0]!).toBeLessThan(90_100);
});

test('calls of a worker after its timeout have no effect', async () => {
  const effects: string[] = [];
  const { clock, mapping } = fed(
    async (_, invocation) => {
      const call = (what: string) =>
        invocation.call(what, () => effects.push(`${what} of ${invocation.name}`), { rejects: true });
      await call('first');
      await invocation.around.clock.after(TIMEOUT_MS);
      await call('second');
      return done();
    },
    ['a'],
  );
  await clock.run(80_000);
  expect(effects).toEqual(['first of worker 1']);
  expect(mapping.invocations.map(({ ending }) => ending)).toEqual(['timed_out']);
});

test('a mapping never exceeds its concurrency', async () => {
  let busy = 0;
  let max = 0;
  const { clock, queue } = fed(
    async (_, invocation) => {
      busy += 1;
      max = Math.max(max, busy);
      await invocation.around.clock.after(1_000);
      busy -= 1;
      return done();
    },
    Array.from({ length: 45 }, (_, index) => `group ${index}`),
  );
  await clock.run(60_000);
  expect(queue.records).toEqual([]);
  expect(max).toBe(2);
});
