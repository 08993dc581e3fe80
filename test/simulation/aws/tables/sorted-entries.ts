/** A part with more entries than this is split. */
const MAX_IN_PART = 1_000;

interface Sorted {
  readonly sort: string;
}

/** Entries in the order of `sort`, each of which occurs once. Fast with millions of them. */
export class SortedEntries<Entry extends Sorted> {
  readonly #parts: Entry[][] = [];

  add(entry: Entry): void {
    const index = Math.min(this.#partOf(entry.sort), Math.max(this.#parts.length - 1, 0));
    const part = this.#parts[index];
    if (part === undefined) {
      this.#parts.push([entry]);
      return;
    }
    part.splice(positionIn(part, entry.sort), 0, entry);
    if (part.length > MAX_IN_PART) {
      this.#parts.splice(index + 1, 0, part.splice(part.length >> 1));
    }
  }

  remove(sort: string): void {
    const index = this.#partOf(sort);
    const part = this.#parts[index];
    const position = part === undefined ? 0 : positionIn(part, sort);
    if (part?.[position]?.sort === sort) {
      part.splice(position, 1);
      if (part.length === 0) {
        this.#parts.splice(index, 1);
      }
    }
  }

  /** All entries from this one on. */
  *from(sort: string): Generator<Entry> {
    const first = this.#partOf(sort);
    for (let index = first; index < this.#parts.length; index += 1) {
      const part = this.#parts[index]!;
      for (
        let position = index === first ? positionIn(part, sort) : 0;
        position < part.length;
        position += 1
      ) {
        yield part[position]!;
      }
    }
  }

  /** The last entries, the last one first. */
  last(count: number): Entry[] {
    const last: Entry[] = [];
    for (let index = this.#parts.length - 1; index >= 0 && last.length < count; index -= 1) {
      last.push(...this.#parts[index]!.slice(-(count - last.length)).reverse());
    }
    return last;
  }

  /** The first part that does not end before it. */
  #partOf(sort: string): number {
    return lowest(this.#parts.length, (index) => (this.#parts[index]!.at(-1)?.sort ?? '') >= sort);
  }
}

function positionIn(part: readonly Sorted[], sort: string): number {
  return lowest(part.length, (index) => part[index]!.sort >= sort);
}

/** The lowest whole number for which it holds, by bisection. */
function lowest(end: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
