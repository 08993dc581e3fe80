import { drawn, LATENCIES } from '../../test/simulation/aws/metering/latencies.ts';
import type { Meter } from '../../test/simulation/aws/metering/meter.ts';
import type { Network } from '../../test/simulation/workers/network.ts';
import type { Dice } from '../../test/support/dice.ts';

const SUBSCRIPTIONS = 'Subscriptions';

/** SQS bills a request by the 64 KB, and takes ten records with it. */
const REQUEST_BYTES = 65_536;
const MAX_ENTRIES = 10;
/** A transaction or a batch of more items than this takes as long as one of 25. */
const FEW_ITEMS = 10;
const MAX_WRITES = 25;

/** One call to AWS, or several of a kind at the same time. */
interface Call {
  readonly kind: keyof typeof LATENCIES;
  readonly count?: number;
  /**
   * Items of the table of subscriptions that hold only a few numbers: half a unit each to read, one to write.
   */
  readonly smallItems?: number;
  /** A call to SQS; how many requests it is billed as. */
  readonly queue?: { readonly isFifo: boolean; readonly requests: number };
}

const small = (kind: 'GetItem' | 'UpdateItem', items: number): Call => ({
  kind,
  count: items,
  smallItems: items,
});

function ofQueue(kind: 'SendMessageBatch' | 'DeleteMessageBatch', isFifo: boolean, requests = 1): Call {
  return { kind, queue: { isFifo, requests } };
}

/** For each ten records. */
function batches(size: number, call: Call): Call[] {
  return Array.from({ length: Math.ceil(size / MAX_ENTRIES) }, () => call);
}

/** What the adapter behind each port calls, one after the other; whatever is not listed is one `GetItem`. */
const CALLS: Readonly<Record<string, (size: number) => readonly Call[]>> = {
  routesOf: () => [{ kind: 'BatchGetItem' }],
  send: (bytes) => [ofQueue('SendMessageBatch', true, Math.max(1, Math.ceil(bytes / REQUEST_BYTES)))],
  lookUp: () => [{ kind: 'BatchGetItem' }],
  waitingIn: () => [{ kind: 'Query' }, { kind: 'BatchGetItem' }],
  save: (items) =>
    Array.from({ length: Math.ceil(items / MAX_WRITES) }, () => ({
      kind: items > FEW_ITEMS ? 'BatchWriteItemOfMany' : 'BatchWriteItem',
    })),
  commit: (actions) => [{ kind: actions > FEW_ITEMS ? 'TransactWriteItemsOfMany' : 'TransactWriteItems' }],
  revise: () => [{ kind: 'TransactWriteItems' }],
  changeEndpointHealth: () => [{ kind: 'UpdateItem' }],
  replaceEndpointHealth: () => [{ kind: 'UpdateItem' }],
  moveCheck: () => [{ kind: 'UpdateItem' }],
  backlog: () => [{ kind: 'Query' }],
  waiting: () => [{ kind: 'Query' }],
  pastMessages: () => [{ kind: 'Query' }],
  overdue: (shards) => Array.from({ length: shards }, () => ({ kind: 'Query' })),
  countAnswers: () => [small('UpdateItem', 1)],
  countPing: () => [small('UpdateItem', 2)],
  saySlow: (subscriptions) => [small('UpdateItem', 1 + subscriptions)],
  drains: () => [small('UpdateItem', 1), small('GetItem', 2)],
  recovering: () => [small('UpdateItem', 1), small('GetItem', 2)],
  answers: () => [small('GetItem', 2)],
  slowAttempts: () => [small('GetItem', 4)],
  recovery: () => [small('GetItem', 1)],
  advance: () => [small('UpdateItem', 1)],
  arm: (timers) => batches(timers, ofQueue('SendMessageBatch', false)),
  signal: (signals) => batches(signals, ofQueue('SendMessageBatch', true)),
  acknowledge: (records) => batches(records, ofQueue('DeleteMessageBatch', true)),
  'give back': (records) => batches(records, ofQueue('DeleteMessageBatch', true)),
};

const OTHER: readonly Call[] = [{ kind: 'GetItem' }];

/** Calls take as long as others have measured, and are counted. */
export class MeteredNetwork implements Network {
  readonly #dice: Dice;
  readonly #meter: Meter;

  constructor(dice: Dice, meter: Meter) {
    this.#dice = dice;
    this.#meter = meter;
  }

  thereMs(port: string, size: number): number {
    let ms = 0;
    for (const call of CALLS[port]?.(size) ?? OTHER) {
      this.#count(call);
      ms += drawn(LATENCIES[call.kind], this.#dice);
    }
    return ms;
  }

  /** Where a partition of an index is full, the response takes that much longer. */
  backMs(): number {
    return this.#meter.takeWaitMs();
  }

  #count({ kind, count = 1, smallItems = 0, queue }: Call): void {
    this.#meter.call(kind.replace('OfMany', ''), count);
    if (queue !== undefined) {
      this.#meter.request(queue.isFifo, queue.requests);
    }
    if (smallItems > 0 && kind === 'GetItem') {
      this.#meter.read(SUBSCRIPTIONS, smallItems / 2);
    } else if (smallItems > 0) {
      this.#meter.write(SUBSCRIPTIONS, smallItems);
    }
  }
}
