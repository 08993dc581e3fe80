import { randomUUID } from 'node:crypto';

interface Sent {
  readonly body: string;
  readonly group: string;
  readonly deduplicationId?: string;
}

export interface Got {
  readonly body: string;
  readonly group: string;
  readonly receipt: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
}

/**
 * An empty FIFO queue in high-throughput mode, with a visibility timeout of two seconds and one other way
 * out.
 */
export interface FifoToTest {
  /** @returns the positions of records that were not accepted */
  send(records: readonly Sent[]): Promise<readonly number[]>;
  receive(max: number): Promise<readonly Got[]>;
  delete(receipts: readonly string[]): Promise<void>;
  /** Makes records visible again in this many seconds. */
  comeBack(delays: readonly { readonly receipt: string; readonly seconds: number }[]): Promise<void>;
  /** What is received next: polls, or lets the time of a simulation pass. */
  next(max: number): Promise<readonly Got[]>;
  /** Bodies in the dead-letter queue, once there is one. */
  nextDead(): Promise<readonly string[]>;
}

interface Options {
  /** After this many receives, a record becomes a dead letter. */
  readonly maxReceiveCount?: number;
}

/** What every engine for queues promises of FIFO queues, and what no other does. */
export function fifoPromises(open: (options: Options) => Promise<FifoToTest>): void {
  async function queueWith(
    records: readonly (readonly [group: string, body: string])[],
    options: Options = {},
  ) {
    const queue = await open(options);
    const send = (some: typeof records) =>
      queue.send(some.map(([group, body]) => ({ group, body, deduplicationId: randomUUID() })));
    expect(await send(records)).toEqual([]);
    const bodies = async () => (await queue.receive(10)).map(({ body }) => body);
    return { queue, send, bodies };
  }

  test('each group is received in the order in which it was sent', async () => {
    const { queue } = await queueWith([
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
      ['b', 'b2'],
      ['a', 'a3'],
    ]);
    const got: Got[] = [];
    while (got.length < 5) {
      const some = await queue.next(10);
      got.push(...some);
      await queue.delete(some.map(({ receipt }) => receipt));
    }
    const ofGroup = (name: string) => got.filter(({ group }) => group === name).map(({ body }) => body);
    expect([ofGroup('a'), ofGroup('b')]).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b2'],
    ]);
  });

  test('while a record of a group is in flight, no other of it is received, and other groups are', async () => {
    const { queue, send, bodies } = await queueWith([
      ['a', 'a1'],
      ['a', 'a2'],
    ]);
    const [a1] = await queue.next(1);
    await send([['b', 'b1']]);
    expect([a1?.body, await bodies()]).toEqual(['a1', ['b1']]);
    await queue.delete([a1!.receipt]);
    expect((await queue.next(10)).map(({ body }) => body)).toEqual(['a2']);
  });

  test('after its visibility timeout, a record is received again before those behind it', async () => {
    const { queue, bodies } = await queueWith([
      ['a', 'a1'],
      ['a', 'a2'],
    ]);
    await queue.next(1);
    expect(await bodies()).toEqual([]);
    const [again] = await queue.next(1);
    expect(again).toMatchObject({ body: 'a1', receiveCount: 2 });
  });

  test('records that come back at once are received in order, however many of a batch they are', async () => {
    const { queue } = await queueWith([
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
    ]);
    const batch = await queue.next(10);
    await queue.delete(batch.slice(0, 1).map(({ receipt }) => receipt));
    await queue.comeBack(batch.slice(1).map(({ receipt }) => ({ receipt, seconds: 0 })));
    const again = await queue.next(10);
    expect(again.map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ['a2', 2],
      ['a3', 2],
    ]);
  });

  test('a record that comes back before the others of its batch waits for them', async () => {
    const { queue, bodies } = await queueWith([
      ['a', 'a1'],
      ['a', 'a2'],
    ]);
    const [, second] = await queue.next(10);
    await queue.comeBack([{ receipt: second!.receipt, seconds: 0 }]);
    expect(await bodies()).toEqual([]);
    expect((await queue.next(1)).map(({ body }) => body)).toEqual(['a1']);
  });

  test('a receipt of an earlier receive deletes nothing', async () => {
    const { queue } = await queueWith([['a', 'a1']]);
    const [first] = await queue.next(1);
    const [second] = await queue.next(1);
    await queue.delete([first!.receipt]).catch(() => undefined);
    await queue.comeBack([{ receipt: second!.receipt, seconds: 0 }]);
    expect((await queue.next(1)).map(({ body }) => body)).toEqual(['a1']);
  });

  test('an id that is repeated is taken once, within a call and in a later one', async () => {
    const { queue, bodies } = await queueWith([]);
    const entry = { group: 'a', body: 'first', deduplicationId: 'once' };
    expect(await queue.send([entry, { ...entry, body: 'second' }])).toEqual([]);
    expect(await queue.send([{ ...entry, body: 'third' }])).toEqual([]);
    const [got] = await queue.next(10);
    expect([got?.body, await bodies()]).toEqual(['first', []]);
    await queue.delete([got!.receipt]);
    expect(await queue.send([{ ...entry, body: 'fourth' }])).toEqual([]);
    expect(await bodies()).toEqual([]);
  });

  test('after the most receives, a record becomes a dead letter and the next of its group follows', async () => {
    const { queue } = await queueWith(
      [
        ['a', 'a1'],
        ['a', 'a2'],
      ],
      { maxReceiveCount: 2 },
    );
    for (let times = 0; times < 2; times += 1) {
      const [a1] = await queue.next(1);
      expect(a1?.body).toBe('a1');
      await queue.comeBack([{ receipt: a1!.receipt, seconds: 0 }]);
    }
    expect((await queue.next(10)).map(({ body }) => body)).toEqual(['a2']);
    expect(await queue.nextDead()).toEqual(['a1']);
  });
}

/** Of high-throughput mode alone. */
export function groupedDeduplicationPromises(open: (options: Options) => Promise<FifoToTest>): void {
  test('an id is remembered in its group: another group may use it', async () => {
    const queue = await open({});
    await queue.send(['a', 'b'].map((group) => ({ group, body: group, deduplicationId: 'once' })));
    expect((await queue.next(10)).map(({ body }) => body).sort()).toEqual(['a', 'b']);
  });
}
