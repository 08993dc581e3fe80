import { Reading } from '../../stage/reading.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { DeadLetter } from './dead-letter.ts';
import { type Plan, type PlanOptions, planOf } from './plan.ts';
import { putBack, type Sent } from './put-back.ts';
import type { ReadDeadLetter } from './read-dead-letter.ts';
import type { RedrivePorts } from './redrive-ports.ts';

export interface RedriveOptions extends PlanOptions {
  /** False: only look. */
  readonly goes: boolean;
  /** Take apart what hides others, also when it does not go: that changes nothing but the groups of dead letters. */
  readonly unfolds: boolean;
}

export interface Redriven extends Plan, Sent {
  /** All that were looked at. */
  readonly seen: readonly DeadLetter[];
  /** About how many more there are. */
  readonly unseen: number;
  /** Put back, and here again at once: the consumer still fails with them. */
  readonly returned: readonly DeadLetter[];
}

/** SQS lets no more of a FIFO queue be held in some regions, and one has to see all to know their order. */
export const MAX_SEEN = 20_000;
/** Each takes a second. What a worker puts aside at once is there by then. */
const EMPTY_LOOKS_AFTERWARDS = 5;

type OnProgress = (progress: { readonly seen: number; readonly putBack: number }) => void;

/**
 * Puts dead letters back in order of each key, and deletes those that the queue has taken; or only looks what there is. Everything is seen before anything
 * goes. What stays is given back in any case.
 *
 * @throws ExplainedError when there are more than can be put in order
 */
export async function redrive(
  ports: RedrivePorts,
  queue: { readonly isFifo: boolean; readonly read: ReadDeadLetter },
  wanted: RedriveOptions,
  onProgress: OnProgress = () => {},
): Promise<Redriven> {
  const there = await ports.count();
  if (wanted.goes && there > MAX_SEEN) {
    throw new ExplainedError(
      `About ${there} dead letters are there: more than ${MAX_SEEN} cannot be put in order. See docs/operations.md, "Giving back".`,
    );
  }
  let sent: Sent = { sent: [], untaken: [], undeleted: 0 };
  const reading = new Reading(ports, queue.read, (seen) => onProgress({ seen, putBack: sent.sent.length }));
  try {
    await reading.look(MAX_SEEN);
    // SQS hands out no more of a group while somebody holds some of it.
    while (queue.isFifo && (wanted.goes || wanted.unfolds) && (await reading.unseen()) > 0) {
      if (!(await reading.takeApart())) {
        break;
      }
      await reading.look(MAX_SEEN);
    }
    const { seen } = reading;
    const unseen = await reading.unseen();
    const plan = planOf(seen, wanted);
    if (wanted.goes) {
      sent = await putBack(plan.batches, ports, reading, (count) =>
        onProgress({ seen: seen.length, putBack: count }),
      );
      if (sent.sent.length > 0) {
        // What has gone has to be told, whatever comes after.
        await awaitReturned(reading, queue).catch(() => {});
      }
    }
    return { ...plan, ...sent, seen, unseen, returned: reading.returned };
  } finally {
    await reading.giveAllBack();
  }
}

/** Looks for a while whether anything comes back. What stays must not hide it. */
async function awaitReturned(reading: Reading, { isFifo }: { readonly isFifo: boolean }): Promise<void> {
  if (isFifo) {
    await reading.takeApart();
  }
  for (let empty = 0; empty < EMPTY_LOOKS_AFTERWARDS && reading.returned.length === 0; ) {
    empty += (await reading.lookForReturned()) ? 0 : 1;
  }
}
