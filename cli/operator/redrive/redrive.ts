import { Reading } from '../../stage/reading.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import type { DeadLetter, RedrivePorts } from './dead-letter.ts';
import { type Plan, type PlanOptions, planOf } from './plan.ts';
import type { ReadDeadLetter } from './read-dead-letter.ts';

interface RedriveOptions extends PlanOptions {
  /** False: change nothing. */
  readonly goes: boolean;
  /** Unfold groups that hide others, even if nothing goes back: only the groups of dead letters change. */
  readonly unfolds: boolean;
}

export interface Redriven extends Plan, Sent {
  readonly seen: readonly DeadLetter[];
  /** About how many more there are. */
  readonly unseen: number;
  /** Put back and here again at once: the worker still fails with them. */
  readonly returned: readonly DeadLetter[];
}

/** In some regions SQS hides at most this many records of a FIFO queue. Only all of them tell the order. */
export const MAX_SEEN = 20_000;
/** Each takes a second. A record that a worker dead-letters at once is here by then. */
const EMPTY_LOOKS_AFTERWARDS = 5;

type OnProgress = (progress: { readonly seen: number; readonly putBack: number }) => void;

/**
 * Puts dead letters back in the order of each key, and deletes those that the queue took; or only reads them.
 * All are read before the first goes. What stays is made visible again in any case.
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
    // SQS returns no more of a group while some of it is hidden.
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
        // The result has to be reported, whatever happens after.
        await awaitReturned(reading, queue).catch(() => {});
      }
    }
    return { ...plan, ...sent, seen, unseen, returned: reading.returned };
  } finally {
    await reading.giveAllBack();
  }
}

/** Watches for a while whether anything comes back. What stays must not hide it. */
async function awaitReturned(reading: Reading, { isFifo }: { readonly isFifo: boolean }): Promise<void> {
  if (isFifo) {
    await reading.takeApart();
  }
  for (let empty = 0; empty < EMPTY_LOOKS_AFTERWARDS && reading.returned.length === 0; ) {
    empty += (await reading.lookForReturned()) ? 0 : 1;
  }
}

interface Sent {
  /** In the order in which the queue took them. */
  readonly sent: readonly DeadLetter[];
  /** Not taken, or behind one of its key that was not taken. */
  readonly untaken: readonly DeadLetter[];
  /** Taken, but not deleted here: the next run puts them back again, and the workers recognize them. */
  readonly undeleted: number;
  /** Why a whole batch was refused: nothing was sent after that. */
  readonly internalError?: unknown;
}

/**
 * Sends batches one after another, and deletes what was taken. A record that was not taken holds back the
 * rest of its key.
 */
export async function putBack(
  batches: Plan['batches'],
  ports: RedrivePorts,
  reading: Reading,
  onProgress: (count: number) => void,
): Promise<Sent> {
  const sent: DeadLetter[] = [];
  const untaken: DeadLetter[] = [];
  const heldBack = new Set<string>();
  let undeleted = 0;
  let internalError: unknown;
  for (const batch of batches) {
    const free = internalError === undefined ? batch.filter(({ key }) => !heldBack.has(key)) : [];
    const startedAtMs = ports.now();
    const answer = free.length === 0 ? { taken: [] } : await ports.send(free);
    internalError ??= answer.internalError;
    const taken = new Set(answer.taken);
    for (const deadLetter of batch.filter((one) => !taken.has(one))) {
      heldBack.add(deadLetter.key);
      untaken.push(deadLetter);
    }
    sent.push(...answer.taken);
    reading.sent(answer.taken, startedAtMs);
    const left = new Set(await ports.remove(answer.taken));
    reading.gone(answer.taken.filter((deadLetter) => !left.has(deadLetter)));
    undeleted += left.size;
    onProgress(sent.length);
  }
  return { sent, untaken, undeleted, ...(internalError === undefined ? {} : { internalError }) };
}
