import type { Reading } from '../../stage/reading.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { Plan } from './plan.ts';
import type { RedrivePorts } from './redrive-ports.ts';

export interface Sent {
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
