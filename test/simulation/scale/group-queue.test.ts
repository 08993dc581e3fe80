import { VirtualClock } from '../virtual-clock.ts';
import { GroupQueue } from './group-queue.ts';

const bodies = (records: readonly { readonly body: string }[]) => records.map(({ body }) => body);

test('a group is handed out in order, and locked until all of it that was received is gone', () => {
  const queue = new GroupQueue('q', new VirtualClock(0), 90_000);
  queue.send('a', 'a1');
  queue.send('b', 'b1');
  const first = queue.receive(1);
  expect(bodies(first)).toEqual(['a1']);
  queue.send('a', 'a2');
  expect(bodies(queue.receive(10))).toEqual(['b1']);
  expect(queue.hasAvailable).toBe(false);
  queue.delete(first[0]!.id);
  expect(bodies(queue.receive(10))).toEqual(['a2']);
  expect(queue.maxWaiting).toBe(2);
});

test('what was not done comes again before what followed it, when its visibility ends', async () => {
  const clock = new VirtualClock(0);
  const queue = new GroupQueue('q', clock, 90_000);
  queue.send('a', 'a1');
  const [record] = queue.receive(10);
  queue.send('a', 'a2');
  queue.leave(record!);
  await clock.run(89_999);
  expect(queue.hasAvailable).toBe(false);
  await clock.run(90_000);
  const again = queue.receive(10);
  expect(bodies(again)).toEqual(['a1', 'a2']);
  expect(again[0]!.receiveCount).toBe(2);
});
