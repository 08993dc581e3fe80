/**
 * A record that fails for the first time is redelivered after this long, and after twice as long each further
 * time.
 */
const FIRST_SECONDS = 1;
const LONGEST_SECONDS = 60;

/** A record that its worker returns to the queue. */
export interface Returned {
  readonly recordId: string;
  /** Message group; absent in a standard queue. */
  readonly group: string | undefined;
  /** 1 for the first time. */
  readonly receiveCount: number;
}

export interface ComeBack {
  readonly recordId: string;
  /** From now until the queue delivers it again, in s. */
  readonly seconds: number;
}

/**
 * When returned records are redelivered: after 1, 2, 4 ... 60 s, by how often they were received. All of a
 * group come together, at the time of its first one: SQS delivers none of a group while another one is
 * invisible.
 *
 * @param returned in the order in which they were received
 */
export function comeBacks(returned: readonly Returned[]): ComeBack[] {
  const secondsOfGroup = new Map<string, number>();
  return returned.map(({ recordId, group, receiveCount }) => {
    const own = secondsAfter(receiveCount);
    if (group === undefined) {
      return { recordId, seconds: own };
    }
    const seconds = secondsOfGroup.get(group) ?? own;
    secondsOfGroup.set(group, seconds);
    return { recordId, seconds };
  });
}

function secondsAfter(receiveCount: number): number {
  return Math.min(FIRST_SECONDS * 2 ** (receiveCount - 1), LONGEST_SECONDS);
}

/**
 * The longest that a record can have been on its way since its first receive if each worker returned it
 * before its time limit: longer, and some worker has died. Time that it waited for a free worker counts, too,
 * so this is a suspicion and no proof.
 */
export function longestAnsweredMs(receiveCount: number, timeLimitMs: number): number {
  let ms = 0;
  for (let received = 1; received < receiveCount; received += 1) {
    ms += secondsAfter(received) * 1_000 + timeLimitMs;
  }
  return ms;
}
