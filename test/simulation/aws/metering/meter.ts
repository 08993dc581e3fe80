/** What a run has used of AWS. */
export class Meter {
  /** Events put on the bus. */
  events = 0;
  /** Calls by kind: those of our code, and those that Lambda makes for it, which begin with `lambda:`. */
  readonly calls: Record<string, number> = {};
  fifoRequests = 0;
  standardRequests = 0;
  invocations = 0;
  gbSeconds = 0;
  logLines = 0;
  /** By table; an index under `table.index`. */
  readonly writes: Record<string, number> = {};
  readonly reads: Record<string, number> = {};
  /** The most write units within a second, by table and by index. */
  readonly busiestSecond: Record<string, number> = {};
  /** The most write units that one partition took within a second, by table and by index. */
  readonly busiestPartition: Record<string, number> = {};
  /** The longest time that a write waited for its partition, in ms, likewise. */
  readonly throttledMs: Record<string, number> = {};

  readonly #seconds = new Map<string, { second: number; units: number }>();
  readonly #now: () => number;
  #waitMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** A write that is under way has to wait this long for a partition. */
  wait(ms: number): void {
    this.#waitMs = Math.max(this.#waitMs, ms);
  }

  /** How long the writes of the last call have to wait for the busiest of their partitions, in ms. */
  takeWaitMs(): number {
    const waitMs = this.#waitMs;
    this.#waitMs = 0;
    return waitMs;
  }

  call(kind: string, count = 1): void {
    add(this.calls, kind, count);
  }

  /** A request to SQS of at most 64 KB. */
  request(isFifo: boolean, count = 1): void {
    if (isFifo) {
      this.fifoRequests += count;
    } else {
      this.standardRequests += count;
    }
  }

  write(table: string, units: number): void {
    add(this.writes, table, units);
    const second = Math.floor(this.#now() / 1_000);
    const known = this.#seconds.get(table);
    const sum = known?.second === second ? known.units + units : units;
    this.#seconds.set(table, { second, units: sum });
    this.busiestSecond[table] = Math.max(this.busiestSecond[table] ?? 0, sum);
  }

  read(table: string, units: number): void {
    add(this.reads, table, units);
  }

  partition(name: string, unitsInSecond: number, waitMs: number): void {
    this.busiestPartition[name] = Math.max(this.busiestPartition[name] ?? 0, unitsInSecond);
    this.throttledMs[name] = Math.max(this.throttledMs[name] ?? 0, Math.round(waitMs));
  }

  get writeUnits(): number {
    return sum(this.writes);
  }

  get readUnits(): number {
    return sum(this.reads);
  }
}

function add(counts: Record<string, number>, name: string, by: number): void {
  counts[name] = (counts[name] ?? 0) + by;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}
