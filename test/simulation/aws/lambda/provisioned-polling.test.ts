import { Dice } from '../../../support/dice.ts';
import { VirtualClock } from '../../clock/virtual-clock.ts';
import { FifoQueue } from '../queues/fifo-queue.ts';
import { ProvisionedPolling } from './provisioned-polling.ts';

/** A queue that gets a record of a new group each 10 ms by default, and batches that take this long. */
function flow({
  pollers,
  lastsMs,
  everyMs = 10,
  dice,
}: {
  readonly pollers: readonly [number, number];
  readonly lastsMs: number;
  readonly everyMs?: number;
  readonly dice?: Dice;
}) {
  const clock = new VirtualClock(0);
  const queue = new FifoQueue(clock, { name: 'q', visibilityMs: 600_000 });
  const batches: { readonly atMs: number; readonly size: number }[] = [];
  let busy = 0;
  let maxBusy = 0;
  const polling = new ProvisionedPolling(
    {
      queue,
      hasRoom: () => true,
      take(records, done) {
        batches.push({ atMs: clock.now(), size: records.length });
        busy += 1;
        maxBusy = Math.max(maxBusy, busy);
        clock.at(clock.now() + lastsMs, () => {
          for (const { receipt } of records) {
            queue.delete(receipt);
          }
          busy -= 1;
          done?.();
          polling.poll();
        });
      },
    },
    { clock, pollers: { minimum: pollers[0], maximum: pollers[1] }, onReceive() {}, dice },
  );
  queue.onAvailable(() => polling.poll());
  const send = (number: number) => {
    queue.send({ group: `${number}`, body: `${number}` });
    clock.at(number * everyMs, () => send(number + 1));
  };
  send(1);
  return { clock, batches, maxBusy: () => maxBusy };
}

test('two pollers receive twenty times a second, so five of a hundred records a second share a batch', async () => {
  const { clock, batches } = flow({ pollers: [2, 2], lastsMs: 50 });
  await clock.run(10_000);
  const sizes = batches.slice(2, -1).map(({ size }) => size);
  expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeCloseTo(5, 0);
  for (const [index, { atMs }] of batches.entries()) {
    const inSecond = batches.slice(index).filter((one) => one.atMs < atMs + 1_000).length;
    expect(inSecond).toBeLessThanOrEqual(20);
  }
});

test('the receives of a second may also come at once, and no more than ten of them for each poller', async () => {
  const { clock, batches } = flow({ pollers: [2, 2], lastsMs: 50, dice: new Dice(1) });
  await clock.run(10_000);
  const inSeconds = batches.map(({ atMs }) =>
    batches.filter((one) => one.atMs >= atMs && one.atMs < atMs + 1_000),
  );
  expect(Math.max(...inSeconds.map(({ length }) => length))).toBe(20);
  // Where batches come evenly, this takes most of a second.
  expect(inSeconds.some((some) => some.length === 20 && some.at(-1)!.atMs - some[0]!.atMs < 500)).toBe(true);
});

test('a poller holds ten batches at most', async () => {
  const { clock, maxBusy } = flow({ pollers: [2, 2], lastsMs: 5_000 });
  await clock.run(20_000);
  expect(maxBusy()).toBe(20);
});

test('pollers are added while they cannot keep up, up to the maximum, and only then', async () => {
  const hanging = flow({ pollers: [2, 4], lastsMs: 60_000 });
  await hanging.clock.run(30_000);
  expect(hanging.maxBusy()).toBe(40);
  const quick = flow({ pollers: [2, 4], lastsMs: 50 });
  await quick.clock.run(30_000);
  expect(quick.batches.length).toBeLessThanOrEqual(30 * 20 + 2);
  const flooded = flow({ pollers: [2, 6], lastsMs: 50, everyMs: 2 });
  await flooded.clock.run(30_000);
  const lastSecond = flooded.batches.filter(({ atMs }) => atMs > 29_000);
  expect(lastSecond.length).toBeGreaterThanOrEqual(45);
});
