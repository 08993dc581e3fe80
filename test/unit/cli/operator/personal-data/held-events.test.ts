import { type DynamoDBClient, QueryCommand, type TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { heldItem } from '../../../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import { sequenceAddress } from '../../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { newSequence } from '../../../../../functions/core/sequence/payment-sequence.ts';
import { ops } from '../../../../support/operator-run.ts';
import { cancelled } from '../../../adapters/dynamodb/pages.ts';
import { earlyEvent, heldEvent, PAYMENT } from '../held-event.ts';

const NAME = 'Ada Lovelace';
const SEQUENCE = {
  ...newSequence(PAYMENT, 'shard-01'),
  ...sequenceAddress(PAYMENT),
  revision: 4,
  next: 3,
};
const held = (number: number) => heldItem(heldEvent(number, { resource: JSON.stringify({ name: NAME }) }));

/** A stage with these items of one payment's sequence, and an empty history. */
function stage(items: readonly Item[], whileErasing: () => void = () => {}) {
  const stored = new Map(items.map((item) => [item.item, item]));
  const dynamodb = {
    async send(command: QueryCommand | TransactWriteItemsCommand) {
      if (command instanceof QueryCommand) {
        const found = command.input.TableName === 'sequences' ? [...stored.values()] : [];
        return { Items: found.map((item) => marshall(item, { removeUndefinedValues: true })) };
      }
      if (!('TransactItems' in command.input)) {
        return { Responses: {} };
      }
      whileErasing();
      const [{ Update } = {}, ...others] = command.input.TransactItems ?? [];
      const { ':known': known, ':next': next } = unmarshall(Update?.ExpressionAttributeValues ?? {});
      const payment = stored.get('sequence');
      if (payment?.revision !== known) {
        throw cancelled('ConditionalCheckFailed');
      }
      stored.set('sequence', { ...payment, revision: next });
      for (const { Delete } of others) {
        stored.delete(unmarshall(Delete?.Key ?? {}).item);
      }
      return {};
    },
  } as unknown as DynamoDBClient;
  const access = {
    dynamodb,
    sqs: { send: async () => ({ Attributes: {} }) },
    tables: async () => ({ history: 'history', sequences: 'sequences' }),
    queueUrl: async (output: string) => output,
    operators: async () => ({ trail: { begin: async () => {}, finish: async () => {} }, who: 'somebody' }),
  } as unknown as StageAccess;
  const run = (command: string, ...options: string[]) =>
    ops(['personal-data', command, 'shop', 'pay-1', ...options], { access: async () => access });
  return { stored, run };
}

test('events that wait are exported whole, with how far their payment is', async () => {
  const { run } = stage([{ ...SEQUENCE, early: [earlyEvent(5)] }, held(5)]);
  const { printed } = await run('export', '--json');
  expect(JSON.parse(printed)).toMatchObject({
    messages: [],
    sequence: { next: 3, early: [earlyEvent(5)] },
    held_events: [{ event_id: 'evt-5', sequence: 5, resource: JSON.stringify({ name: NAME }) }],
  });
});

test('an event that waits for an operator is exported whole, and nothing is erased', async () => {
  const body = JSON.stringify({ event_id: 'evt-1', resource: { name: NAME } });
  const { run, stored } = stage([{ ...sequenceAddress(PAYMENT), item: 'stuck_event#100#record 1', body }]);
  expect(JSON.parse((await run('export', '--json')).printed).held_events).toMatchObject([{ body }]);
  expect((await run('erase', '--yes')).printed).toContain('Nothing was changed.');
  expect(stored.size).toBe(1);
});

test('while an event waits for its turn, nothing is erased and it is listed', async () => {
  const { run, stored } = stage([{ ...SEQUENCE, early: [earlyEvent(5)] }, held(4), held(5)]);
  const { isWell, printed } = await run('erase', '--yes');
  expect(isWell).toBe(false);
  expect(printed).toMatch(/1 event still waiting for those before:\n.*evt-5 +5 /);
  expect(printed).toContain('Nothing was changed.');
  expect(stored.size).toBe(3);
});

test('on request the rest goes, and the event that waits stays', async () => {
  const { run, stored } = stage([{ ...SEQUENCE, early: [earlyEvent(5)] }, held(4), held(5)]);
  const { isWell, printed } = await run('erase', '--yes', '--ended-only');
  expect(isWell).toBe(false);
  expect(printed).toContain('1 event that had waited for its turn erased.');
  expect([...stored.keys()]).toEqual(['sequence', held(5).item]);
});

test('what is left of an event that has continued goes, and a worker that just stores another begins anew', async () => {
  const { run, stored } = stage([SEQUENCE, held(2)]);
  expect(await run('erase', '--yes')).toMatchObject({ isWell: true });
  expect([...stored.values()]).toEqual([{ ...SEQUENCE, revision: 5 }]);
});

test('nothing of it goes when the payment continues meanwhile', async () => {
  const items = [SEQUENCE, held(2)];
  const { run, stored } = stage(items, () => stored.set('sequence', { ...SEQUENCE, revision: 9 }));
  const { isWell, printed } = await run('erase', '--yes');
  expect(isWell).toBe(false);
  expect(printed).toContain('not erased: the payment has changed meanwhile. Run the command again.');
  expect(stored.size).toBe(2);
});

test.each([
  ['missing', []],
  ['unreadable', [{ ...SEQUENCE, early: 'none' }]],
])('an event whose payment is %s may still be sent, and stays', async (_, sequence) => {
  const { run, stored } = stage([...sequence, held(5)]);
  expect(await run('erase', '--yes')).toMatchObject({
    isWell: false,
    printed: expect.stringContaining('1 event still waiting for those before:'),
  });
  expect(stored.has(held(5).item)).toBe(true);
});
