import fc from 'fast-check';
import type { DeadLetter } from '../../../../../cli/operator/redrive/dead-letter.ts';
import { type PlanOptions, planOf } from '../../../../../cli/operator/redrive/plan.ts';
import {
  readDeliveryDeadLetter,
  readEventDeadLetter,
} from '../../../../../cli/operator/redrive/read-dead-letter.ts';
import { redrive } from '../../../../../cli/operator/redrive/redrive.ts';
import { paymentEvent } from '../../../../support/builders.ts';
import { deadLetterWorld, messageDeadLetter, PUT_BACK, received } from './dead-letter-world.ts';

const DELIVERIES = { isFifo: true, read: readDeliveryDeadLetter };
const LOOK = { goes: false, unfolds: false, alsoUnusable: false, again: false, limit: 10_000 };
const GO = { ...LOOK, goes: true };

type World = ReturnType<typeof deadLetterWorld>;

/** Ids of what the queue took, as `payment/step`, in its order. */
function wentBack(world: World): string[] {
  return world.went.map(({ body }) => {
    const { payment_id, order_number } = JSON.parse(body);
    return `${payment_id}/${Number(order_number)}`;
  });
}

function ids(deadLetters: readonly { readonly received: { readonly recordId: string } }[]): string[] {
  return deadLetters.map(({ received: { recordId } }) => recordId);
}

/** What is left among the dead letters, whether or not it has been taken apart. */
function left(world: World): string[] {
  return world
    .left()
    .map((id) => id.replace(' apart', ''))
    .sort();
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('looking changes nothing: everything is given back, and the order is told in which it would go', async () => {
  const world = deadLetterWorld([
    messageDeadLetter('a', 2),
    messageDeadLetter('b', 1),
    messageDeadLetter('a', 1),
  ]);
  const { batches, seen, unseen } = await redrive(world.ports, DELIVERIES, LOOK);
  expect(batches.map(ids)).toEqual([['a/1', 'b/1'], ['a/2']]);
  expect([seen.length, unseen]).toEqual([3, 0]);
  expect(world.went).toEqual([]);
  expect(world.left()).toEqual(['a/2', 'b/1', 'a/1']);
});

test('looking tells how many are behind the ten of a group that SQS shows', async () => {
  const world = deadLetterWorld(numbers(1, 14).map((step) => messageDeadLetter('a', step)));
  const { seen, unseen } = await redrive(world.ports, DELIVERIES, LOOK);
  expect([seen.length, unseen]).toEqual([10, 4]);
  expect(world.left()).toHaveLength(14);
});

test('what is behind comes to light when everything is taken apart, and is there still', async () => {
  const world = deadLetterWorld(numbers(1, 34).map((step) => messageDeadLetter('a', step)));
  const { batches, unseen } = await redrive(world.ports, DELIVERIES, { ...LOOK, unfolds: true });
  expect([batches.length, unseen]).toEqual([34, 0]);
  expect(world.went).toEqual([]);
  expect(world.left()).toHaveLength(34);
  expect(world.left().filter((id) => id.includes('held'))).toEqual([]);
});

test('events keep the order of their shard, also when an earlier run was cut short after it had taken some apart', async () => {
  const event = (step: number) =>
    received({
      recordId: `e/${step}`,
      group: 'shard-01',
      body: JSON.stringify(paymentEvent({ event_id: `e-${step}` })),
    });
  const EVENTS = { isFifo: true, read: readEventDeadLetter };
  const world = deadLetterWorld(numbers(1, 34).map(event));
  const ports = {
    ...world.ports,
    takeApart: async (deadLetters: readonly DeadLetter[]) => {
      await world.ports.takeApart(deadLetters.slice(0, 4));
      throw new Error('cut short');
    },
  };
  await expect(redrive(ports, EVENTS, GO)).rejects.toThrow('cut short');
  expect(world.left()).toHaveLength(34);

  await redrive(world.ports, EVENTS, GO);
  expect(world.went.map(({ body }) => JSON.parse(body).event_id)).toEqual(
    numbers(1, 34).map((step) => `e-${step}`),
  );
  expect(new Set(world.went.map(({ group }) => group))).toEqual(new Set(['shard-01']));
  expect(world.left()).toEqual([]);
});

test('more than can be put in order are left, with a word on what to do', async () => {
  const world = deadLetterWorld([messageDeadLetter('a', 1)]);
  const ports = { ...world.ports, count: async () => 20_001 };
  await expect(redrive(ports, DELIVERIES, GO)).rejects.toThrow('more than 20000 cannot be put in order');
  expect(world.went).toEqual([]);
});

describe('what the worker could not use', () => {
  const nonsense = (number: number) =>
    received({
      recordId: `nonsense ${number}`,
      group: 'sub_1.a',
      body: `nonsense ${number}`,
      attributes: { Reason: 'unreadable', Explanation: 'v: must be 1' },
    });

  test('stays, and the others of its payment go', async () => {
    const world = deadLetterWorld([nonsense(1), messageDeadLetter('a', 1)]);
    const { stays } = await redrive(world.ports, DELIVERIES, GO);
    expect(stays.map(({ deadLetter, why }) => [deadLetter.reason, deadLetter.explanation, why])).toEqual([
      ['unreadable', 'v: must be 1', 'unusable'],
    ]);
    expect(wentBack(world)).toEqual(['a/1']);
    expect(left(world)).toEqual(['nonsense 1']);
  });

  test('does not hide others', async () => {
    const world = deadLetterWorld([...numbers(1, 12).map(nonsense), messageDeadLetter('a', 1)]);
    const { stays, unseen } = await redrive(world.ports, DELIVERIES, GO);
    expect(wentBack(world)).toEqual(['a/1']);
    expect([stays.length, unseen]).toEqual([12, 0]);
    expect(left(world)).toEqual(
      numbers(1, 12)
        .map((number) => `nonsense ${number}`)
        .sort(),
    );
  });

  test('goes when that is asked for; put aside again at once, it is told', async () => {
    const world = deadLetterWorld([nonsense(1), messageDeadLetter('a', 1)], {
      deadLettered: (body) => (body.startsWith('nonsense') ? 'unreadable' : undefined),
    });
    const { returned } = await redrive(world.ports, DELIVERIES, { ...GO, alsoUnusable: true });
    expect(returned.map(({ reason, received: { body } }) => [reason, body])).toEqual([
      ['unreadable', 'nonsense 1'],
    ]);
    expect(world.left()).toEqual(['dead letter 1']);
  });
});

test('what match puts aside again at once is seen also behind others of its shard that stay', async () => {
  const event = (recordId: string, attributes = {}) =>
    received({ recordId, group: 'shard-01', body: JSON.stringify({ event_id: recordId }), attributes });
  const stay = numbers(1, 3).map((number) => event(`stays ${number}`, { Reason: 'unknown_type' }));
  const world = deadLetterWorld([...stay, event('goes')], { deadLettered: () => 'malformed' });
  const { sent, returned } = await redrive(world.ports, { isFifo: true, read: readEventDeadLetter }, GO);
  expect(ids(sent)).toEqual(['goes']);
  expect(returned.map(({ reason, what }) => [reason, what])).toEqual([['malformed', 'goes no type']]);
  expect(left(world)).toEqual(['dead letter 1', 'stays 1', 'stays 2', 'stays 3'].sort());
});

test('a payment of which something was put back before and is here again stays whole, until that is asked for', async () => {
  const records = [messageDeadLetter('a', 1), messageDeadLetter('a', 2, PUT_BACK), messageDeadLetter('b', 1)];
  const world = deadLetterWorld(records);
  const { stays } = await redrive(world.ports, DELIVERIES, GO);
  expect(stays.map(({ deadLetter, why }) => [deadLetter.received.recordId, why])).toEqual([
    ['a/1', 'failed_again'],
    ['a/2', 'failed_again'],
  ]);
  expect(wentBack(world)).toEqual(['b/1']);
  await redrive(world.ports, DELIVERIES, { ...GO, again: true });
  expect(wentBack(world)).toEqual(['b/1', 'a/1', 'a/2']);
});

test('what the queue does not take stays, and so does all that follows it in its payment; others go', async () => {
  const world = deadLetterWorld(
    [
      messageDeadLetter('a', 1),
      messageDeadLetter('a', 2),
      messageDeadLetter('a', 3),
      messageDeadLetter('b', 1),
    ],
    { refuse: ({ received: { recordId } }) => recordId === 'a/2' },
  );
  const { untaken } = await redrive(world.ports, DELIVERIES, GO);
  expect(wentBack(world)).toEqual(['a/1', 'b/1']);
  expect(ids(untaken)).toEqual(['a/2', 'a/3']);
  expect(left(world)).toEqual(['a/2', 'a/3']);
});

test('when the queue cannot be reached nothing more is tried, and the reason is told', async () => {
  const world = deadLetterWorld([messageDeadLetter('a', 1), messageDeadLetter('a', 2)]);
  const gone = new Error('throttled');
  const ports = { ...world.ports, send: async () => ({ taken: [], internalError: gone }) };
  const { internalError, untaken } = await redrive(ports, DELIVERIES, GO);
  expect(internalError).toBe(gone);
  expect(ids(untaken)).toEqual(['a/1', 'a/2']);
  expect(world.left()).toEqual(['a/1', 'a/2']);
});

test('what was taken and cannot be deleted is told, and not put back twice in one run', async () => {
  const world = deadLetterWorld([messageDeadLetter('a', 1), messageDeadLetter('a', 2)], {
    keep: ({ received: { recordId } }) => recordId === 'a/1',
  });
  const { undeleted } = await redrive(world.ports, DELIVERIES, GO);
  expect(undeleted).toBe(1);
  expect(wentBack(world)).toEqual(['a/1', 'a/2']);
  expect(left(world)).toEqual(['a/1']);
});

test('what has gone is told also when looking on fails', async () => {
  const world = deadLetterWorld([messageDeadLetter('a', 1)]);
  const ports = {
    ...world.ports,
    receive: () => (world.went.length > 0 ? Promise.reject(new Error('expired')) : world.ports.receive()),
  };
  expect(ids((await redrive(ports, DELIVERIES, GO)).sent)).toEqual(['a/1']);
});

test('when looking fails nothing is held', async () => {
  const world = deadLetterWorld([messageDeadLetter('a', 1)]);
  let calls = 0;
  const ports = {
    ...world.ports,
    receive: () => {
      calls += 1;
      return calls > 1 ? Promise.reject(new Error('expired')) : world.ports.receive();
    },
  };
  await expect(redrive(ports, DELIVERIES, LOOK)).rejects.toThrow('expired');
  expect(world.left()).toEqual(['a/1']);
});

const SIGNAL: PlanOptions = { alsoUnusable: false, again: false, limit: 10_000 };

const deadLetters = fc
  .uniqueArray(
    fc.record({
      payment: fc.constantFrom('a', 'b', 'c', 'd'),
      step: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: 80, selector: ({ payment, step }) => `${payment}/${step}` },
  )
  .map((all) => all.map(({ payment, step }) => readDeliveryDeadLetter(messageDeadLetter(payment, step))));

test('every letter goes once', () => {
  fc.assert(
    fc.property(deadLetters, (all) => {
      const going = planOf(all, SIGNAL).batches.flat();
      expect(going).toHaveLength(all.length);
      expect(new Set(going)).toEqual(new Set(all));
    }),
  );
});

test('the letters of a key go in the order of their places, whatever the order in which they came', () => {
  fc.assert(
    fc.property(deadLetters, (all) => {
      for (const ofKey of Map.groupBy(planOf(all, SIGNAL).batches.flat(), ({ key }) => key).values()) {
        const places = ofKey.map(({ position }) => position);
        expect(places).toEqual(places.toSorted());
      }
    }),
  );
});

test('no batch holds two letters of a key, or more than ten', () => {
  fc.assert(
    fc.property(deadLetters, (all) => {
      for (const batch of planOf(all, SIGNAL).batches) {
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
      }
    }),
  );
});

test('no batch is larger than SQS takes', () => {
  const large = Array.from({ length: 8 }, (_, index) => {
    const deadLetter = readDeliveryDeadLetter(messageDeadLetter(`p${index}`, 1));
    return { ...deadLetter, goes: { ...deadLetter.goes, body: 'x'.repeat(300_000) } };
  });
  expect(planOf(large, SIGNAL).batches.map(({ length }) => length)).toEqual([3, 3, 2]);
});

test('signals follow the messages of their key: those tell them what to do', () => {
  const signal = readDeliveryDeadLetter({
    ...messageDeadLetter('a', 0),
    body: JSON.stringify({
      v: 1,
      service_id: 's',
      subscription_id: 'sub_1',
      payment_id: 'a',
      signal_kind: 'resume',
    }),
  });
  const first = readDeliveryDeadLetter(messageDeadLetter('a', 1));
  const second = readDeliveryDeadLetter(messageDeadLetter('a', 2));
  expect(planOf([signal, second, first], SIGNAL).batches).toEqual([[first], [second], [signal]]);
});

test('with a limit each payment keeps its order: what stays follows what goes', () => {
  fc.assert(
    fc.property(deadLetters, fc.integer({ min: 1, max: 80 }), (all, limit) => {
      const { batches, stays } = planOf(all, { ...SIGNAL, limit });
      expect(batches.flat()).toHaveLength(Math.min(limit, all.length));
      for (const { deadLetter, why } of stays) {
        expect(why).toBe('over_limit');
        const going = batches.flat().filter(({ key }) => key === deadLetter.key);
        expect(going.every(({ position }) => (position ?? '') < (deadLetter.position ?? ''))).toBe(true);
      }
    }),
  );
});
