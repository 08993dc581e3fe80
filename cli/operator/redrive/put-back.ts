import type { Reading } from '../../stage/reading.ts';
import type { Letter } from './dead-letter.ts';
import type { Plan } from './plan.ts';
import type { RedrivePorts } from './redrive-ports.ts';

export interface Sent {
  /** In the order in which the queue took them. */
  readonly sent: readonly Letter[];
  /** Not taken, or behind one of its key that was not. */
  readonly untaken: readonly Letter[];
  /** Taken, and still among the dead letters: the next run puts them back once more, and they are recognised. */
  readonly undeleted: number;
  /** Why a whole batch was refused: nothing more was tried after that. */
  readonly fault?: unknown;
}

/** Sends batches one after another, and deletes of each what was taken. What was not taken holds back all that follows it in its key. */
export async function putBack(
  batches: Plan['batches'],
  ports: RedrivePorts,
  reading: Reading,
  onProgress: (count: number) => void,
): Promise<Sent> {
  const sent: Letter[] = [];
  const untaken: Letter[] = [];
  const heldBack = new Set<string>();
  let undeleted = 0;
  let fault: unknown;
  for (const batch of batches) {
    const free = fault === undefined ? batch.filter(({ key }) => !heldBack.has(key)) : [];
    const startedAtMs = ports.now();
    const answer = free.length === 0 ? { taken: [] } : await ports.send(free);
    fault ??= answer.fault;
    const taken = new Set(answer.taken);
    for (const letter of batch.filter((one) => !taken.has(one))) {
      heldBack.add(letter.key);
      untaken.push(letter);
    }
    sent.push(...answer.taken);
    reading.sent(answer.taken, startedAtMs);
    const left = new Set(await ports.remove(answer.taken));
    reading.gone(answer.taken.filter((letter) => !left.has(letter)));
    undeleted += left.size;
    onProgress(sent.length);
  }
  return { sent, untaken, undeleted, ...(fault === undefined ? {} : { fault }) };
}
