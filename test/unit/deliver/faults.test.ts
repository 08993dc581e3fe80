import { messageId } from '../../../functions/core/message.ts';
import { deliver } from '../../../functions/deliver/deliver.ts';
import { TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { event, settle, world } from './world.ts';

test('one that a single key meets leaves the others delivered and recorded', async () => {
  const { ports, log, faults } = world();
  const unreadable = event('a', { payment_id: 'a', resource: undefined });
  expect(await deliver([unreadable, event('b', { payment_id: 'b' })], ports)).toEqual(['record of a']);
  expect(log).toEqual(['post b', 'save b']);
  expect(faults).toHaveLength(1);
});

test('when the history cannot be written for long the batch fails, so that nothing is taken for done', async () => {
  const { ports } = world({
    save: async () => {
      throw new Error('DynamoDB is away');
    },
  });
  let nowMs = TEN_O_CLOCK_MS;
  const running = deliver([event('a')], {
    ...ports,
    now: () => nowMs,
    after: async (ms) => {
      nowMs += ms;
      await settle();
    },
  });
  await expect(running).rejects.toThrow('DynamoDB is away');
  expect(nowMs - TEN_O_CLOCK_MS).toBeGreaterThan(50_000);
  expect(nowMs - TEN_O_CLOCK_MS).toBeLessThan(60_000);
});

test('a short outage of the history sends nothing again', async () => {
  let failures = 3;
  const { ports, log } = world({
    save: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('DynamoDB is away');
    },
  });
  expect(await deliver([event('a')], { ...ports, after: () => settle() as Promise<void> })).toEqual([]);
  expect(log).toEqual(['post a', 'save a']);
});

test.each([['sub_1'], [messageId('a', 'sub_1')]])(
  'what cannot be read of %s is the fault of its key alone',
  async (id) => {
    const { ports, log, faults } = world({ faults: [[id, new Error('cannot be read')]] });
    const batch = [
      event('a', { payment_id: 'a' }),
      event('b', { payment_id: 'b', subscription_id: 'sub_2' }),
    ];
    expect(await deliver(batch, ports)).toEqual(['record of a']);
    expect(log).toEqual(['post b', 'save b']);
    expect(faults).toHaveLength(1);
  },
);

test('a message without a secret to sign with is not sent unsigned', async () => {
  const { ports, log } = world();
  const again = await deliver([event('a')], {
    ...ports,
    lookUp: async (wanted) => ({ ...(await ports.lookUp(wanted)), secrets: new Map() }),
  });
  expect(again).toEqual(['record of a']);
  expect(log).toEqual([]);
});
