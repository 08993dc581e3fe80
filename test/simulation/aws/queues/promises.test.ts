import {
  type FifoToTest,
  fifoPromises,
  groupedDeduplicationPromises,
} from '../../../support/promises/queues/fifo-queue.ts';
import { VirtualClock } from '../../clock/virtual-clock.ts';
import { FifoQueue } from './fifo-queue.ts';

const VISIBILITY_MS = 2_000;

/** The FIFO queue of the simulation, whose clock passes on when there is nothing to receive. */
async function fifoQueue({ maxReceiveCount }: { readonly maxReceiveCount?: number }): Promise<FifoToTest> {
  const clock = new VirtualClock(0);
  const deadLetters = new FifoQueue(clock, { name: 'dead', visibilityMs: VISIBILITY_MS });
  const queue = new FifoQueue(clock, {
    ...{ name: 'queue', visibilityMs: VISIBILITY_MS, deadLetters },
    ...(maxReceiveCount === undefined ? {} : { maxReceiveCount }),
  });
  const receive = async (max: number) => queue.receive(max);
  return {
    async send(records) {
      queue.sendBatch(records, () => false);
      return [];
    },
    receive,
    async delete(receipts) {
      for (const receipt of receipts) {
        queue.delete(receipt);
      }
    },
    async comeBack(delays) {
      for (const { receipt, seconds } of delays) {
        queue.changeVisibility(receipt, seconds * 1_000);
      }
    },
    async next(max) {
      if (!queue.hasAvailable) {
        await clock.run(clock.now() + VISIBILITY_MS);
      }
      return receive(max);
    },
    nextDead: async () => deadLetters.records.map(({ body }) => body),
  };
}

fifoPromises(fifoQueue);
groupedDeduplicationPromises(fifoQueue);
