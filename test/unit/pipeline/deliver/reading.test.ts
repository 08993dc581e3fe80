import * as z from 'zod/mini';
import { messageSchema } from '../../../../functions/core/message/message.ts';
import { SIGNAL_FORMAT } from '../../../../functions/core/message/travelling-formats.ts';
import { readDeliveries } from '../../../../functions/pipeline/deliver/deliver.ts';
import { message } from '../../../support/builders.ts';
import { sqsRecord as record } from './sqs-record.ts';

test('A record that is no message is told apart, as it came, with what is wrong with each member', () => {
  const { incoming, unreadable } = readDeliveries([record({ v: 0, live: 'yes' })]);

  expect(incoming).toEqual([]);
  expect(unreadable).toMatchObject([
    { recordId: 'rec_1', group: 'sub_1.pay_1', body: '{"v":0,"live":"yes"}', reason: 'unreadable' },
  ]);
  const faults = unreadable[0]?.explanation.split('; ');
  expect(faults).toContain('v: must be 1');
  expect(faults).toContain('live: must be true or false, not a string');
  expect(faults).toContain('payment_id: is missing');
});

test('A signal is read as what it asks of which ordering key', () => {
  const signal = {
    v: 1,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    signal_kind: 'resume',
  };

  const { incoming, unreadable } = readDeliveries([record(signal)]);

  expect(incoming).toMatchObject([{ recordId: 'rec_1', receipt: 'receipt', receiveCount: 1, signal }]);
  expect(unreadable).toEqual([]);
});

test('A signal of a kind that this version does not know is reported as a signal, not as a message', () => {
  const signal = {
    v: 1,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    signal_kind: 'fly',
  };

  const { unreadable } = readDeliveries([record(signal)]);

  expect(unreadable[0]?.explanation).toBe(
    'signal_kind: must be one of resume, drain, probe, release, skip, resend, cancel',
  );
});

test.each([
  ['of another payment', message({ payment_id: 'pay-2' }).message_id],
  ['of another service', message({ service_id: 'florist' }).message_id],
  ['of release 0.1', 'msg_Zt3nN0T9yq8Wm1xJbQeA5oRv'],
])('A message or a signal with an id %s is dead-lettered: nobody would find it', (_, message_id) => {
  const resend = {
    v: 1,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'pay-1',
    signal_kind: 'resend',
  };
  const { incoming, unreadable } = readDeliveries([
    record(message({ message_id }), { id: 'a' }),
    record({ ...resend, message_id }, { id: 'b' }),
  ]);
  expect(incoming).toEqual([]);
  expect(unreadable.map(({ explanation }) => explanation)).toEqual(
    Array(2).fill('message_id: is of another payment'),
  );
});

describe('While a deliver that comes and one that goes run at the same time', () => {
  const first = { ...message({ event_id: 'evt-1' }) };
  const newer = { ...message({ event_id: 'evt-2' }), v: 2, amount: 5 };
  const last = { ...message({ event_id: 'evt-3' }) };
  const signal = {
    v: 1,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    signal_kind: 'resume',
  };

  test('the one that goes holds a message of the one that comes, and all behind it in its group', () => {
    const {
      incoming,
      unreadable,
      deferred: held,
    } = readDeliveries([
      record(first, { id: 'a' }),
      record(newer, { id: 'b' }),
      record(last, { id: 'c' }),
      record(signal, { id: 'd' }),
      record({ v: 1 }, { id: 'e' }),
      record(last, { id: 'f', group: 'sub_1.pay_2' }),
    ]);
    expect(incoming.map(({ recordId }) => recordId)).toEqual(['a', 'f']);
    expect(unreadable).toEqual([]);
    expect(held).toEqual([
      { recordId: 'b', group: 'sub_1.pay_1', receiveCount: 1, version: 2 },
      { recordId: 'c', group: 'sub_1.pay_1', receiveCount: 1 },
      { recordId: 'd', group: 'sub_1.pay_1', receiveCount: 1 },
      { recordId: 'e', group: 'sub_1.pay_1', receiveCount: 1 },
    ]);
  });

  test('it defers a newer signal too', () => {
    const { deferred: held } = readDeliveries([record({ ...signal, v: 2, signal_kind: 'fly' })]);
    expect(held).toEqual([{ recordId: 'rec_1', group: 'sub_1.pay_1', receiveCount: 1, version: 2 }]);
  });

  test('the one that comes reads both, the older as if it had been written today', () => {
    const next = {
      signal: SIGNAL_FORMAT,
      message: {
        schema: z.extend(messageSchema, { v: z.literal(2), amount: z.number() }) as never,
        upgrades: [(older: object) => ({ ...older, v: 2, amount: 0 })],
      },
    };
    const {
      incoming,
      unreadable,
      deferred: held,
    } = readDeliveries([record(first), record(newer), record(signal)], undefined, next);
    expect({ unreadable, held }).toEqual({ unreadable: [], held: [] });
    expect(incoming).toMatchObject([
      { message: { v: 2, message_id: first.message_id, amount: 0 } },
      { message: { v: 2, message_id: newer.message_id, amount: 5 } },
      { signal },
    ]);
  });
});
