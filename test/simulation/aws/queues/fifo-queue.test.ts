import { VirtualClock } from '../../clock/virtual-clock.ts';
import { FifoQueue } from './fifo-queue.ts';

const VISIBILITY_MS = 90_000;

function queueWith(...entries: [group: string, body: string][]) {
  const clock = new VirtualClock(0);
  const deadLetters = new FifoQueue(clock, { name: 'dead', visibilityMs: 30_000 });
  const queue = new FifoQueue(clock, {
    name: 'q',
    visibilityMs: VISIBILITY_MS,
    maxReceiveCount: 2,
    deadLetters,
  });
  for (const [group, body] of entries) {
    queue.send({ group, body });
  }
  const bodies = (max = 10) => queue.receive(max).map(({ body }) => body);
  return { clock, queue, deadLetters, bodies };
}

test('a batch holds several groups, each in order', () => {
  const { bodies } = queueWith(['a', 'a1'], ['b', 'b1'], ['a', 'a2']);
  expect(bodies()).toEqual(['a1', 'b1', 'a2']);
});

test('a receipt is invalid after the visibility timeout, or once the record was received again', async () => {
  const { clock, queue } = queueWith(['a', 'a1']);
  const [first] = queue.receive(1);
  await clock.run(VISIBILITY_MS);
  expect(queue.delete(first!.receipt)).toBe(false);
  const [second] = queue.receive(1);
  expect(queue.delete(first!.receipt)).toBe(false);
  expect(queue.changeVisibility(first!.receipt, 0)).toBe(false);
  expect(queue.delete(second!.receipt)).toBe(true);
});

test('a record with a changed visibility is received again at that time', async () => {
  const { clock, queue } = queueWith(['a', 'a1']);
  queue.changeVisibility(queue.receive(1)[0]!.receipt, 5_000);
  await clock.run(4_999);
  expect(queue.receive(1)).toEqual([]);
  await clock.run(VISIBILITY_MS);
  expect(queue.receive(1)).toMatchObject([{ body: 'a1', receiveCount: 2 }]);
});

test('an id is remembered for five minutes, in its group', async () => {
  const { clock, queue } = queueWith();
  const entry = { group: 'a', body: '1', deduplicationId: 'once' };
  expect(queue.send(entry)).toBeDefined();
  expect(queue.send({ ...entry, body: '2' })).toBeUndefined();
  expect(queue.send({ ...entry, group: 'b' })).toBeDefined();
  clock.at(5 * 60_000, () => {});
  await clock.run(5 * 60_000);
  expect(queue.send(entry)).toBeDefined();
});

test('without an id, the content identifies repeats', () => {
  const { queue } = queueWith(['a', 'same']);
  expect(queue.send({ group: 'a', body: 'same' })).toBeUndefined();
  expect(queue.send({ group: 'a', body: 'other' })).toMatchObject({ sequenceNumber: '00000000000000000002' });
});

test('nothing behind the first 120,000 records is received', () => {
  const { queue } = queueWith();
  for (let number = 0; number < 120_000; number += 1) {
    queue.send({ group: 'held', body: '', deduplicationId: String(number) });
  }
  queue.send({ group: 'free', body: '' });
  const [first] = queue.receive(1);
  expect(queue.receive(1)).toEqual([]);
  queue.delete(first!.receipt);
  queue.receive(1);
  expect(queue.receive(1)).toMatchObject([{ group: 'free' }]);
});
