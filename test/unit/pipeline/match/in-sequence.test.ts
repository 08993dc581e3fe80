import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { chunks } from '../../../../functions/adapters/dynamodb/chunks.ts';
import { sequenceTable } from '../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { RefusedError } from '../../../../functions/core/errors/refused-error.ts';
import { NewerFormatError } from '../../../../functions/core/event/format-version.ts';
import type { Message } from '../../../../functions/core/message/message.ts';
import { MAX_EARLY } from '../../../../functions/core/sequence/steps.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import { NONE_STUCK, withStuck } from '../../../../functions/core/stuck/stuck-payments.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import type { Intake } from '../../../../functions/pipeline/match/ports.ts';
import { intake, paymentEvent, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { recordingClient } from '../../../support/recorded-parameters.ts';
import { ALL, world } from './world.ts';

type Item = Record<string, AttributeValue>;

const { sequenceGapMs } = DELIVERY_POLICY;
const PAYMENT = 'bakery#pay-1';

/** Events of one payment, by their numbers. The records of `events.fifo` count up. */
function publisher() {
  let records = 0;
  const record = (body: object | string, name: string, over: Partial<Intake> = {}): Intake => {
    records += 1;
    const orderNumber = String(100 * records).padStart(20, '0');
    return intake(body, { recordId: `${name} as record ${records}`, orderNumber, ...over });
  };
  return {
    event: (sequence: number, over: object = {}, of: Partial<Intake> = {}) =>
      record(paymentEvent({ event_id: `evt-${sequence}`, sequence, ...over }), `evt-${sequence}`, of),
    signal: (askedAtMs = TEN_O_CLOCK_MS) => {
      const signal = gapSignal({ service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01' });
      return record({ ...signal, asked_at: instant(askedAtMs) }, 'signal');
    },
  };
}

function sentOf({ sent }: { readonly sent: readonly Message[] }) {
  return sent.map(({ event_id }) => event_id);
}

const run = (records: readonly Intake[], { ports }: ReturnType<typeof world>) =>
  match(records, ports, DELIVERY_POLICY);

test('events of a payment that come in any order become messages in sequence', async () => {
  const one = world();
  const { event } = publisher();
  expect(await run([event(3)], one)).toEqual([]);
  expect(one.sent).toEqual([]);
  await run([event(2)], one);
  await run([event(1)], one);
  await run([event(4)], one);
  expect(sentOf(one)).toEqual(['evt-1', 'evt-2', 'evt-3', 'evt-4']);
  expect([...one.sequences.waiting]).toEqual([]);
});

test('an event without a number behind one that cannot be decided now is not sent before it', async () => {
  const one = world();
  const { event } = publisher();
  one.ports.sequencesOf = () => Promise.reject(new Error('throttled'));
  const numbered = event(1);
  const behind = event(2, { sequence: undefined });
  const elsewhere = event(3, { sequence: undefined, payment_id: 'pay-2' });
  expect(await run([numbered, behind, elsewhere], one)).toEqual([numbered.recordId, behind.recordId]);
  expect(sentOf(one)).toEqual(['evt-3']);
});

test('one that waited comes right behind the one that let it continue, and says when it came', async () => {
  const one = world();
  const { event } = publisher();
  await run([event(2, {}, { admittedAtMs: TEN_O_CLOCK_MS })], one);
  await run([event(1, {}, { admittedAtMs: TEN_O_CLOCK_MS + 7_000 })], one);
  expect(one.sent).toMatchObject([
    { order_number: '00000000000000000200' },
    {
      order_number: '00000000000000000200.0001',
      admitted_at_ms: TEN_O_CLOCK_MS + 7_000,
      arrived_at_ms: TEN_O_CLOCK_MS,
      resource: '{"amount":1000}',
    },
  ]);
});

test('each message says where it stands among those that its subscription gets', async () => {
  const routes = {
    bakery: [
      ALL('sub_all'),
      { subscription_id: 'sub_captured', event_types: ['card_payment_captured'], live: false },
    ],
  };
  const one = world({ routes });
  const { event } = publisher();
  await run([event(1, { event_type: 'card_payment_started' }), event(2)], one);
  await run([event(3)], one);
  const of = (id: string) => one.sent.filter(({ subscription_id }) => subscription_id === id);
  const [first, second, third] = of('sub_all');
  expect([first, second, third]).toMatchObject([
    { sequence: 1, position: 1 },
    { sequence: 2, position: 2, previous_message_id: first?.message_id },
    { sequence: 3, position: 3, previous_message_id: second?.message_id },
  ]);
  expect(first).not.toHaveProperty('previous_message_id');
  const [captured] = of('sub_captured');
  expect(captured).not.toHaveProperty('previous_message_id');
  expect(of('sub_captured')).toMatchObject([
    { sequence: 2, position: 1 },
    { sequence: 3, position: 2, previous_message_id: captured?.message_id },
  ]);
});

test('in sequence an event costs one read and one write, and one without a number neither', async () => {
  const one = world();
  const calls: string[] = [];
  const counted = <Name extends 'sequencesOf' | 'advance' | 'hold' | 'held'>(name: Name) => ({
    [name]: (...given: unknown[]) => {
      calls.push(name);
      return (one.ports[name] as (...all: unknown[]) => unknown)(...given);
    },
  });
  const ports = {
    ...one.ports,
    ...counted('sequencesOf'),
    ...counted('advance'),
    ...counted('hold'),
    ...counted('held'),
  };
  await match([publisher().event(1)], ports, DELIVERY_POLICY);
  expect(calls).toEqual(['sequencesOf', 'advance']);
  await match([intake(paymentEvent({ payment_id: 'pay-2' }))], ports, DELIVERY_POLICY);
  expect(calls).toHaveLength(2);
});

test('events that come in one batch in the wrong order are never stored', async () => {
  const one = world();
  const { event } = publisher();
  const hold = jest.fn(one.ports.hold);
  await match([event(2), event(3), event(1)], { ...one.ports, hold }, DELIVERY_POLICY);
  expect(sentOf(one)).toEqual(['evt-1', 'evt-2', 'evt-3']);
  expect(hold).not.toHaveBeenCalled();
});

test('a repeat is not sent again, whether the event waits or has continued', async () => {
  const one = world();
  const { event } = publisher();
  await run([event(1), event(3)], one);
  expect(await run([event(1), event(3)], one)).toEqual([]);
  await run([event(2)], one);
  expect(sentOf(one)).toEqual(['evt-1', 'evt-2', 'evt-3']);
});

describe('what waits', () => {
  test('has a timer, and sweep looks at it', async () => {
    const one = world();
    await run([publisher().event(2)], one);
    expect(one.armed).toEqual([
      {
        timer: gapSignal({ service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01' }),
        dueAtMs: TEN_O_CLOCK_MS + sequenceGapMs,
      },
    ]);
    expect(one.sequences.gaps.get(PAYMENT)).toBeDefined();
  });

  test.each([
    ['a signal that is early by its clock', ({ signal }: ReturnType<typeof publisher>) => signal()],
    [
      'an event that is received again',
      ({ event }: ReturnType<typeof publisher>) => event(2, {}, { receiveCount: 2 }),
    ],
  ])('gets its timer anew from a worker with %s: it may have none', async (_, recordOf) => {
    const one = world();
    const from = publisher();
    await run([from.event(2)], one);
    await run([recordOf(from)], one);
    expect(one.armed).toHaveLength(2);
    expect(one.armed[1]).toEqual(one.armed[0]);
  });

  test('gets a timer with the next write that is near enough to its end', async () => {
    const policy = { ...DELIVERY_POLICY, sequenceGapMs: DELIVERY_POLICY.longestTimerMs + 60_000 };
    const one = world();
    const { event } = publisher();
    await match([event(2)], one.ports, policy);
    expect(one.armed).toEqual([]);
    one.pass(120_000);
    await match([event(3)], one.ports, policy);
    expect(one.armed).toMatchObject([{ dueAtMs: TEN_O_CLOCK_MS + policy.sequenceGapMs }]);
  });

  test('continues marked when its time is over, and what it waited for is late then', async () => {
    const one = world();
    const { event, signal } = publisher();
    await run([event(1), event(3)], one);
    one.pass(sequenceGapMs);
    await run([signal(one.ports.now())], one);
    await run([event(2)], one);
    expect(one.sent).toMatchObject([
      { event_id: 'evt-1', position: 1 },
      { event_id: 'evt-3', position: 2, gap_before: true },
      { event_id: 'evt-2', position: 3, came_late: true },
    ]);
    expect(one.sequences.gaps.size).toBe(0);
  });

  test('does not continue for a signal that comes too early, or comes behind what it waits for', async () => {
    const one = world();
    const { event, signal } = publisher();
    await run([event(1), event(3)], one);
    await run([signal()], one);
    expect(sentOf(one)).toEqual(['evt-1']);
    one.pass(sequenceGapMs);
    await run([event(2), signal(one.ports.now())], one);
    expect(one.sent.map(({ event_id, gap_before }) => [event_id, gap_before])).toEqual([
      ['evt-1', undefined],
      ['evt-2', undefined],
      ['evt-3', undefined],
    ]);
  });

  test('does not continue for a signal from before its time was over, however late that is received', async () => {
    const one = world();
    const { event, signal } = publisher();
    const old = signal();
    await run([event(2)], one);
    one.pass(sequenceGapMs);
    // Whoever had it before may have sent what came behind it.
    await run([old], one);
    expect(one.sent).toEqual([]);
    expect(one.armed.at(-1)).toMatchObject({ dueAtMs: one.ports.now() });
  });

  test('continues for a signal only once what came before it is written', async () => {
    const one = world();
    const { event, signal } = publisher();
    await run([event(3)], one);
    one.pass(sequenceGapMs);
    const look = signal(one.ports.now());
    const unnumbered = event(4, { sequence: undefined });
    const states: unknown[] = [];
    const send: typeof one.ports.send = (messages) => {
      const { next } = one.sequences.payments.get(PAYMENT)!;
      states.push(...messages.map(({ event_id }) => [event_id, next]));
      return one.ports.send(messages);
    };
    const batch = [event(1), look, event(2), unnumbered];
    expect(await match(batch, { ...one.ports, send }, DELIVERY_POLICY)).toEqual([]);
    expect(one.sent).toMatchObject([
      { event_id: 'evt-1', position: 1 },
      { event_id: 'evt-3', position: 2, gap_before: true },
      { event_id: 'evt-2', position: 3, came_late: true },
      { event_id: 'evt-4' },
    ]);
    expect(states).toEqual([
      ['evt-1', 1],
      ['evt-3', 3],
      ['evt-2', 3],
      ['evt-4', 3],
    ]);
  });

  test('goes again with what asks for it if what came before that is not sent', async () => {
    const one = world({ refuse: ({ event_id }) => event_id === 'evt-1' });
    const { event, signal } = publisher();
    await run([event(3)], one);
    one.pass(sequenceGapMs);
    const batch = [event(1), signal(one.ports.now()), event(2), event(4, { sequence: undefined })];
    expect(await run(batch, one)).toEqual(batch.map(({ recordId }) => recordId));
    expect(one.sent).toEqual([]);
  });

  test('has the same position when its signal is received again without the events behind it', async () => {
    const positions = async (batch: (records: readonly Intake[]) => readonly Intake[]) => {
      const one = world();
      const { event, signal } = publisher();
      await run([event(2), event(3)], one);
      one.pass(sequenceGapMs);
      await run(batch([signal(one.ports.now()), event(4)]), one);
      return one.sent.map(({ event_id, order_number }) => `${event_id} at ${Number(order_number)}`);
    };
    const all = await positions((records) => records);
    expect(all).toEqual(['evt-2 at 300.0001', 'evt-3 at 300.0002', 'evt-4 at 400']);
    expect(await positions((records) => records.slice(0, 1))).toEqual(all.slice(0, 2));
  });

  test('that is given up is on record before anything is sent: the event is late even if the worker died', async () => {
    const one = world({
      refuse: ({ event_id }) => event_id === 'evt-3' && !one.sent.some((m) => m.came_late),
    });
    const { event, signal } = publisher();
    await run([event(3)], one);
    one.pass(sequenceGapMs);
    const look = signal(one.ports.now());
    expect(await run([look], one)).toEqual([look.recordId]);
    expect(one.sequences.payments.get(PAYMENT)).toMatchObject({ next: 3, early: [{ gap_before: true }] });
  });

  test('and is not stored any more is told, and holds nothing up', async () => {
    const one = world();
    const { event } = publisher();
    await run([event(2)], one);
    one.sequences.waiting.clear();
    expect(await run([event(1), event(3)], one)).toEqual([]);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-3']);
    expect(String(one.faults[0])).toContain('event evt-2, number 2, waited and is not stored any more');
  });

  test('and cannot be read any more is neither lost nor passed over: what would let it continue is dead-lettered', async () => {
    const one = world();
    const { event, signal } = publisher();
    await run([event(2)], one);
    const held = async () => [
      new Error('item early_event#0000000002#evt-2: cannot be read; see public_type'),
    ];
    const ports = { ...one.ports, held };
    expect(await match([event(1), signal()], ports, DELIVERY_POLICY)).toEqual([]);
    expect(one.deadLettered).toMatchObject([
      { reason: 'sequence_unreadable', explanation: expect.stringContaining('early_event#0000000002#evt-2') },
    ]);
    expect(one.faults).toHaveLength(1);
    expect(one.sequences.waiting.size).toBe(1);
    await run([event(1)], one);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-2']);
  });

  test('and is of a newer format is received again, for a newer worker', async () => {
    const one = world();
    const { event } = publisher();
    await run([event(2)], one);
    const ports = { ...one.ports, held: async () => [new NewerFormatError('format version 2')] };
    const record = event(1);
    expect(await match([record], ports, DELIVERY_POLICY)).toEqual([record.recordId]);
    expect(one.sequences.waiting.size).toBe(1);
  });

  test('is named where the payment stands: its content, with numbers that no table holds, is beside it', async () => {
    const one = world();
    const { client, inputs } = recordingClient<DynamoDBClient, { readonly Item?: Item }>(() => ({}));
    const { advance, hold } = sequenceTable(client, { table: 's', now: one.ports.now, onInternalError() {} });
    const records = [publisher().event(2, { resource: { reference: 2 ** 64 } })];
    expect(await match(records, { ...one.ports, advance, hold }, DELIVERY_POLICY)).toEqual([]);
    const [held, sequence] = inputs.map(({ Item = {} }) => unmarshall(Item));
    expect(held).toMatchObject({ event_id: 'evt-2', resource: '{"reference":18446744073709552000}' });
    expect(sequence?.early).toEqual([{ sequence: 2, event_id: 'evt-2', since: instant(TEN_O_CLOCK_MS) }]);
  });

  test('a large resource is stored once, before its event waits', async () => {
    const one = world();
    const { event } = publisher();
    await run([event(2, { resource: { note: 'x'.repeat(20_000) } })], one);
    expect(one.kept).toHaveLength(1);
    await run([event(1)], one);
    expect(one.sent[1]).not.toHaveProperty('resource');
    expect(one.kept).toHaveLength(1);
  });
});

describe('what fails', () => {
  test('a message that is not taken keeps its payment where it was, and its records are received again', async () => {
    let isDown = true;
    const one = world({ refuse: ({ event_id }) => isDown && event_id === 'evt-2' });
    const { event } = publisher();
    const records = [event(1), event(2), event(3)];
    const again = await run(records, one);
    expect(again).toEqual(records.slice(1).map(({ recordId }) => recordId));
    expect(one.sequences.payments.get(PAYMENT)?.next).toBe(2);
    isDown = false;
    expect(await run(records.slice(1), one)).toEqual([]);
    expect(one.sent.map(({ event_id, position }) => [event_id, position])).toEqual([
      ['evt-1', 1],
      ['evt-2', 2],
      ['evt-3', 3],
    ]);
  });

  test('an event that the store refuses to hold is dead-lettered, one that it cannot hold now is received again', async () => {
    const one = world();
    const { event } = publisher();
    const holding = (error: Error) => ({ ...one.ports, hold: () => Promise.reject(error) });
    expect(await match([event(2)], holding(new RefusedError('too large')), DELIVERY_POLICY)).toEqual([]);
    expect(one.deadLettered).toMatchObject([{ reason: 'unstorable', explanation: 'too large' }]);
    const record = event(3);
    expect(await match([record], holding(new Error('throttled')), DELIVERY_POLICY)).toEqual([
      record.recordId,
    ]);
    expect(await run([event(1), event(2), record], one)).toEqual([]);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-2', 'evt-3']);
  });

  test('a payment whose own write seems overtaken, since its answer was lost, still gets its timer', async () => {
    const one = world();
    const { event } = publisher();
    let isFirst = true;
    const advance: typeof one.ports.advance = async (...given) => {
      const stored = await one.ports.advance(...given);
      const isLost = isFirst;
      isFirst = false;
      return isLost ? undefined : stored;
    };
    expect(await match([event(2)], { ...one.ports, advance }, DELIVERY_POLICY)).toEqual([]);
    expect(one.armed).toMatchObject([{ timer: { payment_id: 'pay-1' } }]);
  });

  test('a payment that others change at each try is received again; others do not', async () => {
    const one = world();
    const { event } = publisher();
    const other = intake(paymentEvent({ payment_id: 'pay-2', event_id: 'other' }), { recordId: 'other' });
    const record = event(1);
    const advance = async () => undefined;
    expect(await match([record, other], { ...one.ports, advance }, DELIVERY_POLICY)).toEqual([
      record.recordId,
    ]);
    expect(one.faults.map(String)).toEqual(['OvertakenPaymentError: other workers were faster 2 times']);
    expect(sentOf(one).filter((id) => id !== 'evt-1')).toHaveLength(1);
  });

  test('a payment whose sequence cannot be read is dead-lettered with that reason', async () => {
    const one = world();
    const sequencesOf = async () => new Map([[PAYMENT, new Error('payment bakery#pay-1: cannot be read')]]);
    const { event, signal } = publisher();
    expect(await match([event(1), signal()], { ...one.ports, sequencesOf }, DELIVERY_POLICY)).toEqual([]);
    expect(one.deadLettered).toMatchObject([{ reason: 'sequence_unreadable' }]);
  });

  test('sequences that cannot be read now keep only numbered events', async () => {
    const one = world();
    const sequencesOf = () => Promise.reject(new Error('throttled'));
    const record = publisher().event(1);
    const other = intake(paymentEvent({ payment_id: 'pay-2' }), { recordId: 'other' });
    expect(await match([record, other], { ...one.ports, sequencesOf }, DELIVERY_POLICY)).toEqual([
      record.recordId,
    ]);
    expect(one.sent).toHaveLength(1);
  });
});

test('a signal is received again when the routes cannot be read now, and not when they never can', async () => {
  const { event, signal } = publisher();
  const one = world();
  await run([event(2)], one);
  one.pass(sequenceGapMs);
  const look = signal();
  const ports = (routes: Partial<Record<'untaken' | 'unreadable', string[]>>) => ({
    ...one.ports,
    routesOf: world(routes).ports.routesOf,
  });
  expect(await match([look], ports({ untaken: ['bakery'] }), DELIVERY_POLICY)).toEqual([look.recordId]);
  expect(await match([look], ports({ unreadable: ['bakery'] }), DELIVERY_POLICY)).toEqual([]);
  expect(one.sent).toEqual([]);
});

test('of more events than can be sent at a time the rest continues when the record is received again', async () => {
  const one = world();
  const { event } = publisher();
  for (let sequence = 2; sequence <= 80; sequence++) {
    await run([event(sequence)], one);
  }
  const first = event(1);
  expect(await run([first], one)).toEqual([first.recordId]);
  expect(one.sent).toHaveLength(50);
  expect(await run([first], one)).toEqual([]);
  expect(one.sent.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 80 }, (_, index) => index + 1),
  );
});

test('what waits for a payment does not grow, however many gaps its events have: it is one item', async () => {
  const one = world();
  const { event } = publisher();
  const numbers = Array.from({ length: 400 }, (_, index) => 2 * (index + 1));
  for (const some of chunks(numbers, 10)) {
    expect(
      await run(
        some.map((sequence) => event(sequence)),
        one,
      ),
    ).toEqual([]);
  }
  // Each batch gives up before it comes what is too much by then.
  const waiting = MAX_EARLY - 1 + 10;
  expect(one.sequences.payments.get(PAYMENT)?.early).toHaveLength(waiting);
  expect(one.sent.map(({ sequence, gap_before }) => [sequence, gap_before])).toEqual(
    numbers.slice(0, -waiting).map((sequence) => [sequence, true]),
  );
});

test.each([0, -1, 1.5, 2 ** 31])('a sequence of %s is dead-lettered', async (sequence) => {
  const one = world();
  expect(await run([publisher().event(sequence, { event_id: 'evt-1' })], one)).toEqual([]);
  expect(one.deadLettered).toMatchObject([
    { reason: 'malformed', explanation: expect.stringMatching(/^sequence: must/) },
  ]);
});

describe('a payment that comes through two doors', () => {
  const QUEUE = { group: 'pay-1' };
  const policy = { ...DELIVERY_POLICY, hasQueueDoor: true };

  /** A worker that another is faster than, between its read and its write. */
  function overtaken(one: ReturnType<typeof world>, meanwhile: () => Promise<unknown>) {
    const { sequencesOf } = one.ports;
    let isFirst = true;
    return {
      ...one.ports,
      async sequencesOf(names: Parameters<typeof sequencesOf>[0]) {
        const known = await sequencesOf(names);
        if (isFirst) {
          isFirst = false;
          await meanwhile();
        }
        return known;
      },
    };
  }

  test('is decided in one message group, that of its first event: others are forwarded there', async () => {
    const one = world();
    const { event } = publisher();
    await match([event(2)], one.ports, policy);
    const other = event(1, {}, QUEUE);
    expect(await match([other], one.ports, policy)).toEqual([]);
    expect(one.sent).toEqual([]);
    expect(one.forwarded).toEqual([{ ...other, group: 'shard-01' }]);
    await match(one.forwarded, one.ports, policy);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-2']);
  });

  test('is decided by its own group alone: after a crash, others of the batch come apart from it', async () => {
    const one = world();
    const { event } = publisher();
    const [first, third] = [event(1), event(3, {}, QUEUE)];
    await match([third, event(2), first], one.ports, policy);
    expect(sentOf(one)).toEqual([]);
    expect(one.forwarded).toMatchObject([{ group: third.group }, { group: third.group }]);
    await match(one.forwarded.splice(0), one.ports, policy);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-2', 'evt-3']);
    await match([event(5), event(4, {}, QUEUE)], one.ports, policy);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-2', 'evt-3', 'evt-4']);
    expect(one.forwarded).toMatchObject([{ group: third.group }]);
  });

  test('is received again when a record cannot be forwarded', async () => {
    const one = world();
    const { event } = publisher();
    await match([event(1)], one.ports, policy);
    const other = event(2, {}, QUEUE);
    const forward = () => Promise.reject(new Error('throttled'));
    expect(await match([other], { ...one.ports, forward }, policy)).toEqual([other.recordId]);
    expect(one.faults).toEqual([new Error('throttled')]);
  });

  test('has one first event, though both doors bring one at the same moment', async () => {
    const one = world();
    const { event } = publisher();
    const [first, other] = [event(1), event(1, { event_id: 'evt-other' }, QUEUE)];
    const ports = overtaken(one, () => match([other], one.ports, policy));
    expect(await match([first], ports, policy)).toEqual([]);
    expect(sentOf(one)).toEqual(['evt-other']);
    await match(one.forwarded, one.ports, policy);
    expect(one.sent).toMatchObject([
      { event_id: 'evt-other', position: 1 },
      { event_id: 'evt-1', position: 2, came_late: true },
    ]);
    expect(one.faults).toEqual([]);
  });

  test('writes once more at its first event, and only where the stage has publishers by the queue', async () => {
    const writesOf = async (hasQueueDoor: boolean) => {
      const { ports } = world();
      let writes = 0;
      const advance: typeof ports.advance = (...given) => {
        writes += 1;
        return ports.advance(...given);
      };
      const { event } = publisher();
      for (const record of [event(1), event(2)]) {
        await match([record], { ...ports, advance }, { ...DELIVERY_POLICY, hasQueueDoor });
      }
      return writes;
    };
    expect([await writesOf(false), await writesOf(true)]).toEqual([2, 3]);
  });

  test('is decided where an operator releases it', async () => {
    const one = world();
    const { event } = publisher();
    await match([event(1)], one.ports, policy);
    const held = event(2, {}, QUEUE);
    const stuck = { service_id: 'bakery', payment_id: 'pay-1' };
    await one.ports.setAside(
      stuck,
      {
        ...stuck,
        record_id: held.recordId,
        group: held.group,
        body: held.body,
        order_number: held.orderNumber,
        admitted_at_ms: held.admittedAtMs,
      },
      { known: NONE_STUCK, next: withStuck(NONE_STUCK, 'pay-1', instant(TEN_O_CLOCK_MS))! },
      undefined,
    );
    const release = { v: 1, kind: 'release', ...stuck, group: 'pay-1' };
    expect(await match([intake(release, { recordId: 'release', ...QUEUE })], one.ports, policy)).toEqual([]);
    expect(sentOf(one)).toEqual(['evt-1', 'evt-2']);
    expect(one.forwarded).toEqual([]);
  });
});
