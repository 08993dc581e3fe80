import { Dice } from '../../../support/dice.ts';
import { VirtualClock } from '../../clock/virtual-clock.ts';
import { StandardQueue } from './standard-queue.ts';

const VISIBILITY_MS = 40_000;

function timers() {
  const clock = new VirtualClock(0);
  const queue = new StandardQueue(clock, {
    name: 'timer',
    visibilityMs: VISIBILITY_MS,
    maxReceiveCount: 2,
    dice: new Dice(1),
  });
  const bodies = () => queue.receive(10).map(({ body }) => body);
  return { clock, queue, bodies };
}

test('a record cannot be received before its delay', async () => {
  const { clock, queue, bodies } = timers();
  queue.send('later', 5);
  await clock.run(4_999, () => true);
  expect(bodies()).toEqual([]);
  await clock.run(5_000);
  expect(bodies()).toEqual(['later']);
});

test('a record that is not deleted is received again, up to the maximum', async () => {
  const { clock, queue, bodies } = timers();
  queue.send('again', 0);
  const seen: string[] = [];
  queue.onAvailable(() => seen.push(...bodies()));
  await clock.run(10 * VISIBILITY_MS);
  expect(seen).toEqual(['again', 'again']);
  expect(queue.records).toEqual([]);
});

test('a record may be doubled, late or lost, and is deleted by its receipt', async () => {
  const { clock, queue } = timers();
  queue.send('twice', 0, { isDoubled: true });
  queue.send('late', 1, { lateByMs: 2_000 });
  queue.send('never', 0, { isLost: true });
  await clock.run(3_000);
  const received = queue.receive(10);
  expect(received.map(({ body }) => body).sort()).toEqual(['late', 'twice', 'twice']);
  expect(received.map(({ receipt }) => queue.delete(receipt))).toEqual([true, true, true]);
  expect(queue.records).toEqual([]);
});

test('a delay out of range is refused', () => {
  const { queue } = timers();
  expect(() => queue.send('too late', 901)).toThrow('DelaySeconds: 901, of 0 to 900');
  expect(() => queue.send('in between', 0.5)).toThrow('DelaySeconds: 0.5, of 0 to 900');
});
